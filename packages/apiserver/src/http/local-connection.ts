// Connections from inside the server's own process: a pair of streams instead of a socket, with HTTP on it as on any
// other. Who speaks on one is known from who opened it.

import type { Server } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import type { User } from '../authn/user.ts'

const users = new WeakMap<object, User>()

/** Undefined for a connection that came over the network. */
export function localUser(connection: object): User | undefined {
  return users.get(connection)
}

export class LocalConnections {
  readonly #server: Server
  #closed = false

  constructor(server: Server) {
    this.#server = server
    server.on('close', () => {
      this.#closed = true
    })
  }

  /** The client's end. */
  open(user: User): Duplex {
    const [client, server] = duplexPair()
    // What node:http asks of a socket and a stream does not have.
    for (const end of [client, server]) Object.assign(end, SOCKET_MANNERS)
    if (this.#closed) {
      client.destroy(new Error('the server has ended'))
      return client
    }
    users.set(server, user)
    tie(client, server)
    tie(server, client)
    this.#server.emit('connection', server)
    return client
  }
}

/** An end that is cut off takes the other along; one that ended in order has told it already. */
function tie(end: Duplex, other: Duplex): void {
  end.on('error', () => other.destroy())
  end.once('close', () => {
    if (!end.writableFinished) other.destroy()
  })
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
