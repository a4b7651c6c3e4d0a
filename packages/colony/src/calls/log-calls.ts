// `GET` and `POST processes/{name}/log`: the output of a Process. Only the executor that runs it may write.

import { basename, dirname, join } from 'node:path'
import type { Api, ExtensionAnswer, ExtensionRequest, FormerLeader } from '@homeostat/apiserver'
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
  /** The servers at other addresses that led the namespace before; undefined where no others do. */
  readonly former: readonly FormerLeader[] | undefined
}

export class LogCalls implements StateListener {
  readonly #parts: LogCallParts
  readonly #logs: ProcessLogs
  readonly #removals = new Set<Promise<void>>()

  constructor(parts: LogCallParts) {
    this.#parts = parts
    this.#logs = new ProcessLogs(parts.directory)
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
    const process = this.#process(namespace, name)
    const { uid = '' } = process.metadata
    // A Process that has ended may have left the queue.
    const ended = () => (queue.get(namespace, name)?.phase ?? 'Ended') === 'Ended'
    const body = this.#logs.read(uid, { ...logOptions(query, name, clock.now()), signal }, ended)
    const warning = this.#elsewhere(process)
    return warning === undefined ? { body } : { body, warning }
  }

  /** Which other servers have a part of the log: those that led while the Process ran. */
  #elsewhere({ metadata: { uid = '' }, status }: Process): string | undefined {
    const begun = status.pastAttempts?.[0]?.startedAt ?? status.startedAt
    const had = (this.#parts.former ?? []).filter(({ until }) => begun !== undefined && Date.parse(begun) < until)
    if (had.length === 0) return undefined
    const terms = had.map(
      ({ address, since, until }) => `${iso(Math.max(since, Date.parse(begun ?? '')))} to ${iso(until)}: ${address}`,
    )
    const folder = join(basename(dirname(this.#parts.directory)), basename(this.#parts.directory), uid)
    return `what was printed while another server led the namespace is there, in ${folder} of its data directory: ${terms.join('; ')}`
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

function iso(time: number): string {
  return new Date(time).toISOString()
}
