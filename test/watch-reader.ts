// Reads a watch, or the server-sent events of /watch, and keeps every event. Connected again, also to another server
// process, it goes on after the last revision it saw, as informers and browsers do.

import { get, type IncomingMessage } from 'node:http'
import { linesOf } from '@homeostat/base/testing/lines-of'
import type { KubeObject } from '@homeostat/meta'

export interface WatchedEvent {
  readonly type: string
  readonly object: KubeObject
}

export interface WatchReaderOptions {
  /** With the query, but for `watch` and `resourceVersion`. */
  readonly path: string
  /** Events after this revision are read. */
  readonly from: number
  readonly serverSent?: boolean
}

export class WatchReader {
  readonly options: WatchReaderOptions
  /** All but bookmarks. */
  readonly events: WatchedEvent[] = []
  /** What the server refused or reported as an error. */
  readonly failures: string[] = []
  #revision: number
  #waiting: (() => void)[] = []

  constructor(options: WatchReaderOptions) {
    this.options = options
    this.#revision = options.from
  }

  get revision(): number {
    return this.#revision
  }

  /** Reads until the connection breaks, the server refuses or the signal aborts; a stream that just ends is resumed. */
  async follow(base: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.failures.length === 0) {
      try {
        await this.#connect(base, signal)
      } catch {
        return
      }
    }
  }

  /** Resolves when an event or bookmark of at least this revision was read, or the server refused. */
  async reached(revision: number): Promise<void> {
    while (this.#revision < revision && this.failures.length === 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    if (this.failures.length > 0) throw new Error(this.failures.join('; '))
  }

  #connect(base: string, signal: AbortSignal): Promise<void> {
    const { path, serverSent } = this.options
    const query = serverSent ? '' : `watch=1&allowWatchBookmarks=true&resourceVersion=${this.#revision}`
    const url = `${base}${path}${path.includes('?') ? '&' : '?'}${query}`
    const headers = serverSent ? { 'last-event-id': String(this.#revision) } : {}
    return new Promise((resolve, reject) => {
      const request = get(url, { agent: false, headers, signal }, (response) => {
        this.#read(response).then(resolve, reject)
      })
      request.on('error', reject)
    })
  }

  async #read(response: IncomingMessage): Promise<void> {
    if (response.statusCode !== 200) {
      const text = await Array.fromAsync(response, String)
      return this.#fail(`${response.statusCode}: ${text.join('')}`)
    }
    const end = this.options.serverSent ? '\n\n' : '\n'
    for await (const part of linesOf(response, end)) this.#take(part)
  }

  #take(part: string): void {
    const text = this.options.serverSent ? /^data: (.*)$/m.exec(part)?.[1] : part
    if (text === undefined || text === '') return
    const event = JSON.parse(text) as WatchedEvent
    if (event.type === 'ERROR') {
      this.#fail(text)
      return
    }
    if (event.type !== 'BOOKMARK') this.events.push(event)
    this.#revision = Number(event.object.metadata.resourceVersion)
    this.#wake()
  }

  #fail(text: string): void {
    this.failures.push(text)
    this.#wake()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
