// Starts a bare server on a free loopback port and tells the parent process which one it got.
// Every bare server calls it. It ends the process when the parent is gone.

import { createServer, type IncomingMessage, type RequestListener } from 'node:http'

export function listen(handle: RequestListener): void {
  const server = createServer(handle)
  // A watch and a keep-alive connection may be silent between two measurements.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1', 1024, () => {
    const address = server.address()
    if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`)
  })
  process.stdin.on('end', () => process.exit(0)).resume()
}

/** Gives the whole body as text, without a copy when it came in one piece. */
export function readBody(request: IncomingMessage, then: (body: string) => void): void {
  let first: Buffer | undefined
  let more: Buffer[] | undefined
  request.on('data', (chunk: Buffer) => {
    if (first === undefined) first = chunk
    else if (more === undefined) more = [first, chunk]
    else more.push(chunk)
  })
  request.on('end', () => then((more === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(more)).toString()))
}
