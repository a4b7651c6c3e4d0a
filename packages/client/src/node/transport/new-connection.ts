// Limits the time that a connection takes to open, which the system would let take minutes, and enables keep-alive
// probes.

import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

const PROBE_MS = 30_000

/** Aborts the request when its connection, including the TLS handshake, is not open in time. */
export function watchOver(request: ClientRequest, connection: Duplex, timeoutMs: number): void {
  // An in-process stream is open at once.
  if (!isSocket(connection)) return
  // A watch may be idle for minutes: probes keep middleboxes from dropping the connection and detect a dead one.
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
