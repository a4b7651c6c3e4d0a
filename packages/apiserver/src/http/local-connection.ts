// Connections from inside the server's process: HTTP over a pair of streams instead of a socket. The user of such a
// connection is set when it is opened.

import type { Server } from 'node:http'
import { Duplex, duplexPair } from 'node:stream'
import type { Held } from '../identity/held.ts'
import type { Peer } from '../identity/peer.ts'
import type { User } from '../identity/user.ts'

export class LocalConnections {
  readonly #accept: (connection: Duplex, peer: Peer) => void
  #closed = false

  /** `accept` passes a connection to the server. */
  constructor(server: Server, accept: (connection: Duplex, peer: Peer) => void) {
    this.#accept = accept
    server.on('close', () => {
      this.#closed = true
    })
  }

  /** Returns the client's end. */
  open(user: User, held?: Held): Duplex {
    const [client, server] = duplexPair()
    // Methods that node:http calls on a socket and that a stream lacks.
    for (const end of [client, server]) Object.assign(end, SOCKET_MANNERS)
    if (this.#closed) {
      // Asynchronously, as a socket fails: node:http adds its error listener a tick after it gets the connection.
      setImmediate(() => client.destroy(new Error('the server has ended')))
      return client
    }
    deliverLast(server)
    tie(client, server)
    tie(server, client)
    this.#accept(server, { kind: 'internal', user, held })
    return client
  }
}

/** Destroys the other end when one end is destroyed, unless that end finished and the other has been notified by it. */
function tie(end: Duplex, other: Duplex): void {
  end.on('error', () => cut(other))
  end.once('close', () => {
    if (!end.writableFinished) cut(other)
  })
}

/**
 * Bytes written to a socket arrive even if it is destroyed right after, since the kernel holds them. Here `destroy` gives
 * the other end time to read them, at most a second.
 */
function deliverLast(end: Duplex): void {
  let asked = false
  end.destroy = (error) => {
    if (error || end.destroyed) return cut(end, error)
    if (asked) return end
    asked = true
    const late = setTimeout(() => cut(end), LAST_MOMENT_MS)
    end.once('close', () => clearTimeout(late))
    end.write(NOTHING, () => setImmediate(() => setImmediate(() => cut(end))))
    return end
  }
}

const NOTHING = Buffer.alloc(0)
const LAST_MOMENT_MS = 1000

function cut(end: Duplex, error?: Error): Duplex {
  return Duplex.prototype.destroy.call(end, error)
}

const SOCKET_MANNERS = {
  setKeepAlive: itself,
  setNoDelay: itself,
  setTimeout: itself,
  ref: itself,
  unref: itself,
}

function itself(this: unknown): unknown {
  return this
}
