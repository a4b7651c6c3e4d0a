// Looks after a connection while it is made, which the system would let take minutes, and sets it up for long silences.

import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

const PROBE_MS = 30_000

/** Ends the request when its connection, with the handshake of TLS, is not there in time. */
export function watchOver(request: ClientRequest, connection: Duplex, timeoutMs: number): void {
  // A stream inside this process is there at once.
  if (!isSocket(connection)) return
  // A watch may be quiet for minutes; what lies between must not take it for dead, nor hide that it is.
  connection.setKeepAlive(true, PROBE_MS)
  if (!connection.connecting && !isSecure(connection)) return
  const timer = setTimeout(() => {
    const error = new Error(`there was no connection within ${timeoutMs} ms`)
    request.destroy(Object.assign(error, { code: 'UNCONNECTED' }))
  }, timeoutMs)
  const done = () => clearTimeout(timer)
  connection.once(isSecure(connection) ? 'secureConnect' : 'connect', done)
  connection.once('close', done)
}

function isSocket(connection: Duplex): connection is Socket {
  return 'connecting' in connection
}

function isSecure(connection: Socket): boolean {
  return 'encrypted' in connection
}
