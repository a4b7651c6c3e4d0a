// The error with which an executor ends by itself, since it would disturb other executors if it went on.

import { hasBrand } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import { REPLACED } from './protocol.ts'

const BRAND = Symbol.for('homeostat.executor.ended-error')

export class ExecutorEndedError extends Error {
  override readonly name = 'ExecutorEndedError'
  readonly [BRAND] = true
  readonly reason: 'Replaced' | 'ColonyDeleted'

  constructor(reason: ExecutorEndedError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** By a brand, not by its class: the error may come from an executor of another copy of this package. */
export function isExecutorEndedError(error: unknown): error is ExecutorEndedError {
  return hasBrand(error, BRAND)
}

/** Two executors with one name would get each other's Processes. */
export function replaced(name: string, colony: string, cause: unknown): ExecutorEndedError {
  const message = `another executor was started as ${name} in ${colony}: give each a name of its own`
  return new ExecutorEndedError('Replaced', message, { cause })
}

/** Registering again would create the namespace again. */
export function colonyDeleted(colony: string, cause: unknown): ExecutorEndedError {
  return new ExecutorEndedError('ColonyDeleted', `the namespace ${colony} was deleted, and its executors end`, {
    cause,
  })
}

export function isReplaced(error: unknown): boolean {
  if (!isStatusError(error, 'Conflict')) return false
  return error.status.details?.causes?.some(({ reason }) => reason === REPLACED) ?? false
}
