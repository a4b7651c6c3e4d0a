// Connections from inside the server's own process: a pair of streams instead of a socket, with HTTP on it as on any
// other. Who speaks on one is known from who opened it.

import type { Server } from 'node:http'
import { Duplex, duplexPair } from 'node:stream'
import type { User } from '../identity/user.ts'

export class LocalConnections {
  readonly #server: Server
  readonly #users = new WeakMap<object, User>()
  #closed = false

  constructor(server: Server) {
    this.#server = server
    server.on('close', () => {
      this.#closed = true
    })
  }

  /** Who speaks on the connection; undefined for one that came over the network. */
  userOf(connection: object): User | undefined {
    return this.#users.get(connection)
  }

  /** The client's end. */
  open(user: User): Duplex {
    const [client, server] = duplexPair()
    // What node:http asks of a socket and a stream does not have.
    for (const end of [client, server]) Object.assign(end, SOCKET_MANNERS)
    if (this.#closed) {
      // Later, as a socket is refused: node:http listens for errors only a tick after it took the connection.
      setImmediate(() => client.destroy(new Error('the server has ended')))
      return client
    }
    this.#users.set(server, user)
    deliverLast(server)
    tie(client, server)
    tie(server, client)
    this.#server.emit('connection', server)
    return client
  }
}

/** An end that is cut off takes the other along; one that ended in order has told it already. */
function tie(end: Duplex, other: Duplex): void {
  end.on('error', () => cut(other))
  end.once('close', () => {
    if (!end.writableFinished) cut(other)
  })
}

/**
 * What was written to a socket arrives even if it is destroyed right after: the system has it, and tells of the end later.
 * Here the other end needs a moment for both, and is not waited for longer.
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
