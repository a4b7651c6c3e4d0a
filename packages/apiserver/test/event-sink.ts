// The end of a watch in the same process: keeps its events, parsed.

import type { KubeObject } from '@homeostat/meta'
import type { WatchSink } from '../src/watch/watch-sink.ts'

export interface SentEvent {
  readonly type: string
  readonly object: KubeObject
}

export class EventSink implements WatchSink {
  readonly framing = 'lines'
  readonly buffered = 0
  readonly #bookmark: () => void
  readonly #listeners: (() => void)[] = []
  #events: SentEvent[] = []
  #closed = false

  /** `bookmark` asks for one now. */
  constructor(bookmark: () => void) {
    this.#bookmark = bookmark
  }

  /** What was sent since it was last asked. */
  take(): SentEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  bookmark(): void {
    this.#bookmark()
  }

  frame(lines: Buffer): Buffer {
    return lines
  }

  send(framed: Buffer): void {
    if (this.#closed) return
    for (const line of framed.toString().split('\n')) if (line !== '') this.#events.push(JSON.parse(line))
  }

  async drained(): Promise<void> {}

  end(): void {
    if (this.#closed) return
    this.#closed = true
    for (const listener of this.#listeners) listener()
  }

  get closed(): boolean {
    return this.#closed
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener()
    else this.#listeners.push(listener)
  }
}
