// Iterates over the bytes of a response. Leaving the loop early, or an aborted signal, ends the request and its
// connection.

import type { IncomingMessage } from 'node:http'

/** `ended` returns why this side ended the request, if it did. */
export function bodyOf(response: IncomingMessage, ended: () => unknown): AsyncIterable<Uint8Array> {
  // A response may break before it is read; without a listener that would end the process.
  response.on('error', () => {})
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* response as AsyncIterable<Buffer>
      } catch (cause) {
        throw ended() ?? new Error('the connection broke before the response ended', { cause })
      }
    },
  }
}
