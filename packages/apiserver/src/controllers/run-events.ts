// Events about the runs of controllers inside the server, told as operators tell theirs. Recording never waits; the writer is
// loaded with the first run that changed something.

import type { EventSubject, RunRecord } from '@homeostat/meta/events'
import type { RunEventsOptions, RunEventWriter } from './run-event-writer.ts'

export class RunEvents {
  readonly #options: RunEventsOptions
  #writer: Promise<RunEventWriter> | undefined
  #isClosed = false

  constructor(options: RunEventsOptions) {
    this.#options = options
  }

  record(regarding: EventSubject, run: RunRecord): void {
    if (this.#isClosed) return
    this.#writer ??= this.#load()
    this.#writer.then(
      (writer) => writer.record(regarding, run),
      (error: unknown) => this.#options.log.warn({ err: error }, 'events of runs cannot be recorded'),
    )
  }

  /** What is not written by then is dropped: the server ends. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writer?.then((writer) => writer.close()).catch(() => {})
  }

  async #load(): Promise<RunEventWriter> {
    const { RunEventWriter } = await import('./run-event-writer.ts')
    return new RunEventWriter(this.#options)
  }
}
