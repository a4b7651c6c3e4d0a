// Parses the response of a watch into events, one per line. An ERROR event is thrown as a StatusError.

import { parseJson } from '@homeostat/meta'
import type { WatchEvent } from '../api/client.ts'
import type { TransportResponse } from '../api/transport.ts'
import { failureEvent } from './failure.ts'
import { LineSplitter } from './line-splitter.ts'
import { excerpt } from './read-body.ts'

/** Servers usually limit objects to 3 MiB; this leaves room for those that do not. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024

export async function* watchEvents<T>(
  { body }: TransportResponse,
  maxBytes = MAX_EVENT_BYTES,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const lines = new LineSplitter(maxBytes)
  for await (const chunk of body) {
    for (const line of lines.push(chunk)) {
      if (line !== '') yield eventOf<T>(line)
    }
  }
  const last = lines.end()
  if (last.trim() !== '') yield eventOf<T>(last)
}

function eventOf<T>(line: string): WatchEvent<T> {
  const event = parsed(line)
  if (event.type === 'ERROR') throw failureEvent(event.object)
  return event as WatchEvent<T>
}

function parsed(line: string): { type: string; object: unknown } {
  try {
    return parseJson(line) as { type: string; object: unknown }
  } catch (cause) {
    throw new Error(`the watch sent something that is not an event, or broke in the middle of one: ${excerpt(line)}`, {
      cause,
    })
  }
}
