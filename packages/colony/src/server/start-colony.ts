// Starts everything the colony does inside a server: the queue and its calls, definitions, handlers of resources.

import type { Metric } from '@homeostat/apiserver'
import { startDefinitions } from '../definitions/index.ts'
import type { Handling } from '../handlers/handling.ts'
import { startHandlers } from '../handlers/index.ts'
import { Colony, type ColonyParts } from './colony.ts'

export interface ColonyOptions extends ColonyParts {
  readonly signal: AbortSignal
  /** Shows a metric with those of the server. */
  measure?(metric: Metric): void
}

export interface RunningColony {
  readonly colony: Colony
  /** Resolves when the signal has ended it and the last write is done. */
  readonly done: Promise<void>
}

/** Resolves when the queue is filled. */
export async function startColony(options: ColonyOptions): Promise<RunningColony> {
  let handling: Handling | undefined
  const colony = new Colony(options, () => {
    if (handling === undefined) throw new Error('the handlers of resources are not started')
    return handling
  })
  await colony.open()
  options.measure?.(colony.metrics)
  handling = startHandlers({ ...options, processes: colony.processes })
  const work = Promise.all([startDefinitions(options), handling.done])
  return { colony, done: work.finally(() => colony.close()).then(() => {}) }
}
