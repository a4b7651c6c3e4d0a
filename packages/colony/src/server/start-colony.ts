// Starts the colony inside a server: the queue and its calls, definitions, and handlers of resources.

import type { Metric } from '@homeostat/base'
import { DefinitionController } from '../definitions/definition-controller.ts'
import { ColonyEvents } from '../events/colony-events.ts'
import type { HandlerParts } from '../handlers/handling.ts'
import { createHandlers } from '../handlers/index.ts'
import { type Colony, type ColonyParts, openColony } from './colony.ts'

export interface ColonyOptions extends Omit<ColonyParts, 'events'>, Pick<HandlerParts, 'clientAs'> {
  readonly signal: AbortSignal
  /** Adds a metric to the server's. */
  measure?(metric: Metric): void
}

export interface RunningColony {
  readonly colony: Colony
  /** Resolves when the signal has aborted and the last write is done. */
  readonly done: Promise<void>
}

/** Resolves when the queue is filled. */
export async function startColony(options: ColonyOptions): Promise<RunningColony> {
  const events = new ColonyEvents(options)
  const { colony, handlers, metrics, close } = await openColony({ ...options, events }, (processes) =>
    createHandlers({ ...options, events, processes }),
  )
  for (const metric of metrics) options.measure?.(metric)
  const work = Promise.all([new DefinitionController({ ...options, events }).run(), handlers.run()])
  const done = work.finally(() => close().then(() => events.close())).then(() => {})
  return { colony, done }
}
