// The bytes of an answer as an iteration. Leaving it early, or the signal, ends the request and its connection.

import type { IncomingMessage } from 'node:http'

/** `ended` says why the request was ended from this side, if it was. */
export function bodyOf(response: IncomingMessage, ended: () => unknown): AsyncIterable<Uint8Array> {
  // An answer may break when nobody reads it; that is no reason to end the process.
  response.on('error', () => {})
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* response as AsyncIterable<Buffer>
      } catch (cause) {
        throw ended() ?? new Error('the connection broke before the answer ended', { cause })
      }
    },
  }
}
