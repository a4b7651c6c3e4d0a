// Events about the colony's objects, aggregated and rate-limited like those of operators. Recording never blocks. The
// recorder is loaded with the first event.

import type { Clock, Log } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import type { KubeObject } from '@homeostat/meta'
import type { EventInput, EventRecorder } from '@homeostat/operator/events'

export interface EventParts {
  readonly client: () => Promise<Client>
  readonly clock: Clock
  readonly log: Log
}

export type Regarding = Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>

const REPORTER = { controller: 'homeostat.dev/colony', instance: 'homeostat' }

export class ColonyEvents {
  readonly #parts: EventParts
  #recorder: Promise<EventRecorder> | undefined
  #closed = false

  constructor(parts: EventParts) {
    this.#parts = parts
  }

  record(regarding: Regarding, event: EventInput): void {
    if (this.#closed) return
    this.#recorder ??= this.#load()
    this.#recorder.then(
      (recorder) => recorder.record(regarding, event),
      (error: unknown) => this.#parts.log.warn({ err: error }, 'events cannot be recorded'),
    )
  }

  /** Resolves when the remaining events are sent, or after a short time. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#recorder?.then((recorder) => recorder.close()).catch(() => {})
  }

  async #load(): Promise<EventRecorder> {
    const { client, clock, log } = this.#parts
    // With the first Event: a colony in which all goes well needs no recorder.
    const [{ EventRecorder }, theClient] = await Promise.all([import('@homeostat/operator/events'), client()])
    return new EventRecorder({ client: theClient, clock, log, ...REPORTER })
  }
}
