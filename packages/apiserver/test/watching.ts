// Reads a watch, or any stream of lines, as a client does.

import { linesOf } from '@homeostat/base/testing/lines-of'
import type { Body } from './body.ts'

export interface WatchEvent {
  readonly type: string
  readonly object: Body
}

export interface TestWatch {
  readonly status: number
  readonly headers: Headers
  /** The next event. Fails when the stream has ended. */
  next(): Promise<WatchEvent>
  /** The events up to and including the first that matches. */
  until(wanted: (event: WatchEvent) => boolean): Promise<WatchEvent[]>
  /** Everything until the server ends the stream. */
  rest(): Promise<WatchEvent[]>
  /** The next raw line. */
  line(): Promise<string | undefined>
  close(): void
}

/** The caller closes it. */
export async function openWatch(url: string, headers: Record<string, string>): Promise<TestWatch> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  const lines = linesOf(chunksOf(response))
  const line = async () => (await lines.next()).value
  const read = async (): Promise<WatchEvent | undefined> => {
    const text = await line()
    return text === undefined ? undefined : (JSON.parse(text) as WatchEvent)
  }
  const next = async () => {
    const event = await read()
    if (!event) throw new Error('the watch has ended')
    return event
  }
  return {
    status: response.status,
    headers: response.headers,
    next,
    line,
    async until(wanted) {
      const seen: WatchEvent[] = []
      for (;;) {
        const event = await next()
        seen.push(event)
        if (wanted(event)) return seen
      }
    },
    async rest() {
      const seen: WatchEvent[] = []
      for (let event = await read(); event; event = await read()) seen.push(event)
      return seen
    },
    close: () => abort.abort(),
  }
}

/** Holds the response: undici cancels the body of one that was collected as garbage. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  for await (const chunk of response.body ?? []) yield chunk as Uint8Array
}

/** `ADDED a, MODIFIED a`: what happened, in short. */
export function story(events: readonly WatchEvent[]): string {
  return events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim()).join(', ')
}
