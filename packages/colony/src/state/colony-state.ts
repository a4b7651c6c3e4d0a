// The committed Processes and Executors in memory: the queue, the table of executors, and which queues are paused. It
// reads each change once, notifies the listeners, and never writes.

import type { Api, ObjectChange, ResourceName } from '@homeostat/apiserver'
import type { Log } from '@homeostat/base'
import { GRAPH_LABELS } from '@homeostat/executor/graphs'
import { type Executor, MAX_WAITING_ANNOTATION, PAUSED_ANNOTATION } from '@homeostat/executor/protocol'
import { SCHEDULE_LABELS } from '@homeostat/executor/schedules'
import { EXECUTORS, NAMESPACES, nameOf, PROCESSES } from '../kinds/resources.ts'
import { processFacts } from '../queue/process-facts.ts'
import { ProcessQueue } from '../queue/process-queue.ts'
import { type ExecutorFacts, executorFacts } from './executor-facts.ts'
import { followObjects, keyOfChange } from './follow-objects.ts'
import type { StateListener } from './state-listener.ts'

export class ColonyState {
  readonly queue = new ProcessQueue()
  readonly #executors = new Map<string, ExecutorFacts>()
  readonly #api: Api
  readonly #log: Log
  readonly #stops: (() => void)[] = []
  readonly #limits = new Map<string, number>()
  #listeners: readonly StateListener[] = []

  constructor(api: Api, log: Log) {
    this.#api = api
    this.#log = log
  }

  /** Executors by `namespace/name`. */
  get executors(): ReadonlyMap<string, ExecutorFacts> {
    return this.#executors
  }

  /** Reads all objects and subscribes to changes. Resolves when all have been read. */
  async open(listeners: readonly StateListener[]): Promise<void> {
    this.#listeners = listeners
    await this.#read(NAMESPACES, (change) => this.#namespace(change))
    await this.#read(EXECUTORS, (change) => this.#executor(change))
    await this.#read(PROCESSES, (change) => this.#process(change))
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop()
  }

  async #read(resource: ResourceName, read: (change: ObjectChange) => void): Promise<void> {
    const unreadable = (key: string, error: unknown) => this.#unreadable(resource, key, error)
    await followObjects(this.#api, resource, { read, unreadable, stops: this.#stops })
  }

  #process(change: ObjectChange): void {
    const { object, previous } = change
    const { namespace, name } = nameOf(keyOfChange(change))
    const before = this.queue.get(namespace, name)
    if (object === undefined) {
      this.queue.delete(namespace, name)
      const gone = previous && this.#api.parsed(PROCESSES, previous)
      const uid = before?.uid ?? gone?.metadata.uid ?? ''
      // One that has ended without a ttl has left the queue.
      const labels = before === undefined ? gone?.metadata.labels : undefined
      const isMade = labels?.[GRAPH_LABELS.uid] !== undefined || labels?.[SCHEDULE_LABELS.uid] !== undefined
      const last = isMade && gone !== undefined ? processFacts(gone, 0) : before
      for (const listener of this.#listeners) listener.processGone?.(before, uid, last)
      return
    }
    // Undefined for a corrupt object, which is ignored.
    const parsed = this.#api.parsed(PROCESSES, object)
    if (parsed === undefined) return
    const process = processFacts(parsed, object.revision)
    this.queue.set(process)
    for (const listener of this.#listeners) listener.processChanged?.(process, before)
  }

  #executor(change: ObjectChange): void {
    const { object } = change
    const key = keyOfChange(change)
    const before = this.#executors.get(key)
    const parsed = object && this.#api.parsed(EXECUTORS, object)
    const executor = parsed && executorFacts(parsed as unknown as Executor)
    // An executor that was deleted and created again under the same name is a different one.
    if (before !== undefined && before.uid !== executor?.uid) {
      this.#executors.delete(key)
      for (const listener of this.#listeners) listener.executorGone?.(before)
    }
    if (executor === undefined) return
    this.#executors.set(key, executor)
    const isReplaced = before?.uid === executor.uid && before.instance !== executor.instance
    for (const listener of this.#listeners) {
      if (isReplaced) listener.executorReplaced?.(executor)
      listener.executorChanged?.(executor)
    }
  }

  /** How many Processes of the namespace may wait; undefined: the default. */
  maxWaiting(namespace: string): number | undefined {
    return this.#limits.get(namespace)
  }

  #namespace(change: ObjectChange): void {
    const { object } = change
    const name = keyOfChange(change)
    this.#limit(name, object)
    // Parses only namespaces that contain the annotation, since almost none does.
    const paused =
      object?.bytes.includes(PAUSED_ANNOTATION) === true &&
      this.#api.parsed(NAMESPACES, object)?.metadata.annotations?.[PAUSED_ANNOTATION] === 'true'
    if (this.queue.isPaused(name) === paused) return
    this.queue.pause(name, paused)
    for (const listener of this.#listeners) listener.queuePaused?.(name)
  }

  #limit(name: string, object: ObjectChange['object']): void {
    const text =
      object?.bytes.includes(MAX_WAITING_ANNOTATION) === true
        ? this.#api.parsed(NAMESPACES, object)?.metadata.annotations?.[MAX_WAITING_ANNOTATION]
        : undefined
    // A value that is no number sets no limit of its own.
    if (text !== undefined && /^[0-9]{1,9}$/.test(text)) this.#limits.set(name, Number(text))
    else this.#limits.delete(name)
  }

  #unreadable(resource: ResourceName, key: string, error: unknown): void {
    if (resource === PROCESSES) for (const listener of this.#listeners) listener.processUnreadable?.(nameOf(key), error)
    else
      this.#log.error(
        { err: error, resource: resource.resource, name: key },
        'an object cannot be handled; it is ignored',
      )
  }
}
