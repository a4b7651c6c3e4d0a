// One TLS handshake with a server, to learn whether clients that trust an authority would accept its certificate.

import { isIP } from 'node:net'
import { connect } from 'node:tls'

export type Verdict = 'verified' | 'refused' | 'unreachable'

/** Without an authority those count that this machine trusts. Never throws. */
export type Handshake = (server: string, ca: string | undefined) => Promise<Verdict>

const LONGEST_MS = 3000
const DEFAULT_PORT = 443

export const handshake: Handshake = (server, ca) => {
  const { hostname, port } = new URL(server)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port || DEFAULT_PORT),
      ...(ca !== undefined && { ca }),
      ...(isIP(host) === 0 && { servername: host }),
      // The verdict is asked for below; nothing is sent either way.
      rejectUnauthorized: false,
      timeout: LONGEST_MS,
    })
    const end = (verdict: Verdict) => () => {
      socket.destroy()
      resolve(verdict)
    }
    socket.once('secureConnect', () => end(socket.authorized ? 'verified' : 'refused')())
    socket.once('timeout', end('unreachable'))
    socket.on('error', end('unreachable'))
    socket.once('close', end('unreachable'))
  })
}
