// The connection pool of a transport. A stream that is not a socket lacks socket options, so its pool does not set
// them.

import type { Agent, AgentOptions, ClientRequest } from 'node:http'
import type { Duplex } from 'node:stream'

export interface AgentSource {
  readonly ca?: string | Uint8Array
  readonly cert?: string | Uint8Array
  readonly key?: string | Uint8Array
  readonly servername?: string
  readonly insecureSkipTlsVerify?: boolean
  readonly connect?: () => Duplex
}

/** Shorter than servers' idle timeouts: a close by the server would race with the next request. */
const IDLE_MS = 60_000
const POOL: AgentOptions = { keepAlive: true, maxFreeSockets: 32, scheduling: 'lifo', timeout: IDLE_MS }

export function makeAgent(source: AgentSource, secure: boolean): Agent {
  const { connect } = source
  if (connect !== undefined) return streamAgent(connect)
  const http = process.getBuiltinModule('node:http')
  if (!secure) return new http.Agent(POOL)
  const https = process.getBuiltinModule('node:https')
  return new https.Agent({
    ...POOL,
    ...(source.ca !== undefined && { ca: Buffer.from(source.ca) }),
    ...(source.cert !== undefined && { cert: Buffer.from(source.cert) }),
    ...(source.key !== undefined && { key: Buffer.from(source.key) }),
    ...(source.servername !== undefined && { servername: source.servername }),
    rejectUnauthorized: !source.insecureSkipTlsVerify,
  })
}

type Made = (error: Error | null, stream?: Duplex) => void

function streamAgent(connect: () => Duplex): Agent {
  const { Agent } = process.getBuiltinModule('node:http')
  class StreamAgent extends Agent {
    override createConnection(_options: object, made: Made): Duplex | undefined {
      const stream = connect()
      if (!stream.destroyed) return stream
      // node:http adds its listener one tick later; an error before that would be uncaught and the request would hang.
      stream.on('error', () => {})
      made(stream.errored ?? new Error('the connection was closed before its first request'))
      return undefined
    }
    override keepSocketAlive(_socket: Duplex): boolean {
      return true
    }
    override reuseSocket(socket: Duplex, request: ClientRequest): void {
      // The pool refs a socket that it reuses; a plain stream has no `ref`.
      if (!('ref' in socket)) Object.assign(socket, { ref: () => socket })
      super.reuseSocket(socket, request)
    }
  }
  return new StreamAgent({ keepAlive: true, maxFreeSockets: 32, scheduling: 'lifo' })
}
