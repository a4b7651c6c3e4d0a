// What a function of an executor can see and do while its process runs.

import type { ApiObject, Client } from '@homeostat/client'
import type { Duration } from '@homeostat/meta'
import type { Process } from './protocol.ts'

export interface ProcessContext {
  readonly process: Process
  readonly args: readonly unknown[]
  /** Of a process that was made for a resource: the resource itself. */
  readonly kwargs: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string>>
  /** 1 for the first. */
  readonly attempt: number
  /** Ends on cancel, when the process is lost, after maxExecSeconds, and at the end of a drain: hand it to whatever waits. */
  readonly signal: AbortSignal
  readonly client: Client
  /** A line for `homeostat process logs`. Sent soon, in order, and before the process is closed. Never throws. */
  log(text: string): void
  /** What the status of the resource shall be. Sent when the process is closed; the last call counts. */
  status(fields: Readonly<Record<string, unknown>>): void
  /** All objects that shall exist because of the resource: the server applies, owns and prunes them after a success. */
  children(objects: readonly ApiObject[]): void
  /** Asks for another attempt after so long: the process succeeded for now. Less than 100 ms is raised to that. */
  requeueAfter(duration: Duration): void
}

/** Ends a process as failed for good: trying again would not help. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError'
}
