// Starts a bare server on a free loopback port and tells the parent process which one it got.
// Every bare server calls it. It ends the process when the parent is gone. With a folder as its last argument it speaks TLS, with
// the certificate and the key that are there.

import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'

export function listen(handle: RequestListener): void {
  const [, , , folder] = process.argv
  const server = folder === undefined ? createServer(handle) : createTlsServer(certificate(folder), handle)
  // A watch and a keep-alive connection may be silent between two measurements.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1', 1024, () => {
    const address = server.address()
    if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`)
  })
  process.stdin.on('end', () => process.exit(0)).resume()
}

function certificate(folder: string): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(join(folder, 'ca.crt')), key: readFileSync(join(folder, 'ca.key')) }
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
