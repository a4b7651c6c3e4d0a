// Reads and drops the rest of a refused body, within bounds. Closing at once would reset the connection while the client
// still writes, and it would never read the error.

import type { Readable } from 'node:stream'

const MAX_BYTES = 64 << 20
/** A client that sends nothing for this long has read the response, or never will. */
const MAX_SILENCE_MS = 500

/** Calls `done` once, when the body has ended or the bound is reached. */
export function dropRest(request: Readable, done: () => void): void {
  let left = MAX_BYTES
  const finish = () => {
    clearTimeout(timer)
    request.off('data', drop)
    request.off('end', finish)
    request.off('close', finish)
    done()
  }
  const drop = (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) finish()
    else timer.refresh()
  }
  const timer = setTimeout(finish, MAX_SILENCE_MS)
  request.on('data', drop)
  request.once('end', finish)
  request.once('close', finish)
  request.resume()
}
