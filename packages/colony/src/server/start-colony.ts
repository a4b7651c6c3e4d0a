// Starts everything the colony does inside a server: the queue and its calls, definitions, handlers of resources.

import type { Metric } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { startDefinitions } from '../definitions/index.ts'
import type { Handling } from '../handlers/handling.ts'
import { startHandlers } from '../handlers/index.ts'
import { Colony, type ColonyParts } from './colony.ts'
import { ColonyEvents } from './colony-events.ts'

export interface ColonyOptions extends Omit<ColonyParts, 'events'> {
  /** For the children of resources and for events, with the first of them. */
  readonly client: () => Promise<Client>
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
  const events = new ColonyEvents(options)
  const colony = new Colony({ ...options, events }, () => {
    if (handling === undefined) throw new Error('the handlers of resources are not started')
    return handling
  })
  await colony.open()
  options.measure?.(colony.metrics)
  handling = startHandlers({ ...options, processes: colony.processes })
  const work = Promise.all([startDefinitions({ ...options, events }), handling.done])
  const done = work.finally(() => colony.close().then(() => events.close())).then(() => {})
  return { colony, done }
}
