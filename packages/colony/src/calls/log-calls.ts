// `GET` and `POST processes/{name}/log`: the output of a Process. Only the executor that runs it may write.

import { basename, dirname, join } from 'node:path'
import type { Api, ExtensionAnswer, ExtensionRequest } from '@homeostat/apiserver'
import type { Clock, Log } from '@homeostat/base'
import type { Process } from '@homeostat/executor/protocol'
import { badRequest, notFound } from '@homeostat/meta'
import { logOptions } from '@homeostat/runtimes'
import { actingAs } from '../kinds/executor-permissions.ts'
import { notTheHolder, PROCESSES } from '../kinds/resources.ts'
import { ProcessLogs } from '../logs/process-logs.ts'
import type { ProcessQueue } from '../queue/process-queue.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import type { StateListener } from '../state/state-listener.ts'

export interface LogCallParts {
  readonly api: Api
  readonly queue: ProcessQueue
  readonly clock: Clock
  readonly log: Log
  readonly directory: string
  /** Another server may have led the namespace before, and may lead it again. */
  readonly mayMove: boolean
}

export class LogCalls implements StateListener {
  readonly #parts: LogCallParts
  readonly #logs: ProcessLogs
  readonly #removals = new Set<Promise<void>>()
  readonly #openedAt: number

  constructor(parts: LogCallParts) {
    this.#parts = parts
    this.#logs = new ProcessLogs(parts.directory)
    this.#openedAt = parts.clock.now()
  }

  /** Removes the logs of Processes that were deleted while no server ran. */
  open(): void {
    const { api } = this.#parts
    this.#remove(this.#logs.keepOnly(() => new Set(api.list(PROCESSES).map(({ metadata }) => metadata.uid ?? ''))))
  }

  async close(): Promise<void> {
    await Promise.all(this.#removals)
  }

  processGone(_: QueuedProcess | undefined, uid: string): void {
    if (uid !== '') this.#remove(this.#logs.remove(uid))
  }

  read({ namespace = '', name, query }: ExtensionRequest, signal: AbortSignal): ExtensionAnswer {
    const { queue, clock } = this.#parts
    const { metadata, status } = this.#process(namespace, name)
    const { uid = '' } = metadata
    // A Process that has ended may have left the queue.
    const ended = () => (queue.get(namespace, name)?.phase ?? 'Ended') === 'Ended'
    const body = this.#logs.read(uid, { ...logOptions(query, name, clock.now()), signal }, ended)
    const warning = this.#elsewhere(uid, status.startedAt)
    return warning === undefined ? { body } : { body, warning }
  }

  /** What to say of a Process that began before this server led its namespace. */
  #elsewhere(uid: string, startedAt: string | undefined): string | undefined {
    if (!this.#parts.mayMove || startedAt === undefined || Date.parse(startedAt) >= this.#openedAt) return undefined
    const since = new Date(this.#openedAt).toISOString()
    const folder = join(basename(dirname(this.#parts.directory)), basename(this.#parts.directory), uid)
    return `this server leads the namespace since ${since}; what was printed before may be in the data directory of another one: ${folder}`
  }

  async write(request: ExtensionRequest): Promise<ExtensionAnswer> {
    const { namespace = '', name, query } = request
    const executor = query.get('executor')
    const attempt = query.get('attempt')
    if (executor === null || attempt === null) {
      throw badRequest('who writes a log says so: ?executor=NAME&attempt=NUMBER')
    }
    await request.requirePermission(actingAs({ namespace, name: executor }))
    const text = await request.bytes()
    const { metadata, status } = this.#process(namespace, name)
    const { phase } = status
    if (phase !== 'Running' || status.executor !== executor || String(status.attempt) !== attempt) {
      const holder = phase === 'Running' ? `run by ${status.executor} in attempt ${status.attempt}` : phase
      throw notTheHolder(name, `executor ${executor} in attempt ${attempt} does not run it: it is ${holder}`)
    }
    await this.#logs.append(metadata.uid ?? '', text, this.#parts.clock.now())
    return { body: {} }
  }

  #process(namespace: string, name: string): Process {
    const process = this.#parts.api.get(PROCESSES, { namespace, name })
    if (process === undefined) throw notFound(PROCESSES, name)
    return process as unknown as Process
  }

  #remove(work: Promise<void>): void {
    const removal = work
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'the log of a process could not be removed'))
      .finally(() => this.#removals.delete(removal))
    this.#removals.add(removal)
  }
}
