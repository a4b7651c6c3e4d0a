// The bytes of an answer as an iteration. Leaving it early, or the signal, ends the request and its connection.

import type { IncomingMessage } from 'node:http'

export function bodyOf(response: IncomingMessage, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  // An answer may break when nobody reads it; that is no reason to end the process.
  response.on('error', () => {})
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* response as AsyncIterable<Buffer>
      } catch (error) {
        throw signal?.aborted ? signal.reason : error
      }
      signal?.throwIfAborted()
    },
  }
}
