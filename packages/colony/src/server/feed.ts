// Keeps the queue and the book of executors as the committed objects are. It looks at bytes once per change and never
// writes; whoever has to act on a change is told.

import type { Api, ObjectChange, ResourceName } from '@homeostat/apiserver'
import { TimeSlice } from '@homeostat/base'
import { type Executor, PAUSED_ANNOTATION } from '@homeostat/executor/protocol'
import { processFacts } from '../queue/process-facts.ts'
import type { ProcessQueue } from '../queue/process-queue.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import { type ExecutorFacts, executorFacts } from './executor-facts.ts'
import { EXECUTORS, NAMESPACES, nameOf, PROCESSES } from './resources.ts'

export interface FeedListener {
  /** A Process is known in a new state. `before` is what was known. */
  process(now: QueuedProcess, before: QueuedProcess | undefined): void
  processGone(before: QueuedProcess | undefined, uid: string): void
  executor(facts: ExecutorFacts): void
  /** Another program has the name now. */
  executorReplaced(facts: ExecutorFacts): void
  executorGone(facts: ExecutorFacts): void
  /** The queue of a namespace was paused, or goes on. */
  paused(namespace: string): void
  /** Taking in one object failed. */
  failed(resource: ResourceName, key: string, error: unknown): void
}

const LONGEST_TURN_MS = 5

export class Feed {
  readonly executors = new Map<string, ExecutorFacts>()
  readonly #api: Api
  readonly #queue: ProcessQueue
  readonly #listener: FeedListener
  readonly #stops: (() => void)[] = []

  constructor(api: Api, queue: ProcessQueue, listener: FeedListener) {
    this.#api = api
    this.#queue = queue
    this.#listener = listener
  }

  /** Takes in all there is, and from then on every change. Resolves when it has all; gives way to others meanwhile. */
  async open(): Promise<void> {
    await this.#take(NAMESPACES, (change) => this.#namespace(change))
    await this.#take(EXECUTORS, (change) => this.#executor(change))
    await this.#take(PROCESSES, (change) => this.#process(change))
  }

  async #take(resource: ResourceName, take: (change: ObjectChange) => void): Promise<void> {
    // What changes during the walk is newer than what the walk finds.
    const changed = new Set<string>()
    let walking = true
    const follow = (change: ObjectChange) => {
      if (walking) changed.add(keyOfChange(change))
      takeSafely(change)
    }
    // One object that cannot be understood keeps nobody from the others.
    const takeSafely = (change: ObjectChange) => {
      try {
        take(change)
      } catch (error) {
        this.#listener.failed(resource, keyOfChange(change), error)
      }
    }
    this.#stops.push(this.#api.follow(resource, follow))
    const slice = new TimeSlice(LONGEST_TURN_MS)
    for (const object of this.#api.objects(resource)) {
      if (!changed.has(object.name)) takeSafely({ resource, object, previous: undefined })
      if (slice.isOver) await slice.next()
    }
    walking = false
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop()
  }

  #process(change: ObjectChange): void {
    const { object, previous } = change
    const key = keyOfChange(change)
    const { namespace, name } = nameOf(key)
    const before = this.#queue.get(namespace, name)
    if (object === undefined) {
      this.#queue.delete(namespace, name)
      const gone = previous && this.#api.parsed(PROCESSES, previous)
      this.#listener.processGone(before, before?.uid ?? gone?.metadata.uid ?? '')
      return
    }
    // One that cannot be trusted is none to decide on.
    const parsed = this.#api.parsed(PROCESSES, object)
    if (parsed === undefined) return
    const facts = processFacts(parsed, object.revision)
    this.#queue.set(facts)
    this.#listener.process(facts, before)
  }

  #executor(change: ObjectChange): void {
    const { object } = change
    const key = keyOfChange(change)
    const before = this.executors.get(key)
    const parsed = object && this.#api.parsed(EXECUTORS, object)
    const facts = parsed && executorFacts(parsed as unknown as Executor)
    // One of the same name that was made anew is somebody else.
    if (before !== undefined && before.uid !== facts?.uid) {
      this.executors.delete(key)
      this.#listener.executorGone(before)
    }
    if (facts === undefined) return
    this.executors.set(key, facts)
    if (before?.uid === facts.uid && before.instance !== facts.instance) this.#listener.executorReplaced(facts)
    this.#listener.executor(facts)
  }

  #namespace(change: ObjectChange): void {
    const { object } = change
    const name = keyOfChange(change)
    // Almost no namespace says anything about queues.
    const paused =
      object?.bytes.includes(PAUSED_ANNOTATION) === true &&
      this.#api.parsed(NAMESPACES, object)?.metadata.annotations?.[PAUSED_ANNOTATION] === 'true'
    if (this.#queue.isPaused(name) === paused) return
    this.#queue.pause(name, paused)
    this.#listener.paused(name)
  }
}

function keyOfChange({ object, previous }: ObjectChange): string {
  return (object ?? previous)?.name ?? ''
}
