// The context that a function of an executor gets while its Process runs.

import { hasBrand } from '@homeostat/base'
import type { ApiObject, Client } from '@homeostat/client'
import type { Duration } from '@homeostat/meta'
import type { GraphNode } from './graph-protocol.ts'
import type { Process } from './protocol.ts'

export interface ProcessContext {
  readonly process: Process
  readonly args: readonly unknown[]
  /** A Process that was made for a resource has the resource here. */
  readonly kwargs: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string>>
  /** For a node of a graph: the outputs of its dependencies, in their order; null for one that was skipped or failed. */
  readonly input: readonly unknown[]
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** Aborted on cancel, when the attempt is lost, after maxExecSeconds, and at the end of a drain. */
  readonly signal: AbortSignal
  readonly client: Client
  /** A line for `homeostat process logs`. Sent soon, in order, and before the process is closed. Never throws. */
  log(text: string): void
  /** Sets the status of the resource. It is sent when the Process is closed; the last call counts. */
  status(fields: Readonly<Record<string, unknown>>): void
  /** Sets all child objects of the resource. The server applies, owns and prunes them after a success. */
  children(objects: readonly ApiObject[]): void
  /**
   * For a node of a graph: adds nodes to the graph, which may depend on this one. Those that are there already, and equal, stay as
   * they are, so that a retry may add the same again.
   */
  addNodes(nodes: readonly GraphNode[]): Promise<void>
  /** Asks for another attempt after this time, in case of success. At least 100 ms. */
  requeueAfter(duration: Duration): void
}

const PERMANENT = Symbol.for('homeostat.executor.permanent-error')

/** Thrown by a function to end its Process as failed, without a retry. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError'
  readonly [PERMANENT] = true
}

/** By a brand, not by its class: a module of functions may bring its own copy of this package. */
export function isPermanentError(error: unknown): error is PermanentError {
  return hasBrand(error, PERMANENT)
}
