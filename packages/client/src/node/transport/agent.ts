// The pool of connections of a transport. A stream that is no socket lacks a socket's settings, so that the pool of
// such streams leaves them alone.

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

/** Below the times after which servers close idle connections, which would race with the next request. */
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
      // node:http listens a tick later: the error would be uncaught, and the request would wait for ever.
      stream.on('error', () => {})
      made(stream.errored ?? new Error('the connection was closed before its first request'))
      return undefined
    }
    override keepSocketAlive(_socket: Duplex): boolean {
      return true
    }
    override reuseSocket(socket: Duplex, request: ClientRequest): void {
      // Takes back what the pool added when the stream became idle, and asks for this of a socket.
      if (!('ref' in socket)) Object.assign(socket, { ref: () => socket })
      super.reuseSocket(socket, request)
    }
  }
  return new StreamAgent({ keepAlive: true, maxFreeSockets: 32, scheduling: 'lifo' })
}
