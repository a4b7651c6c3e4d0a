// Allows only some users of this machine to connect. The listener asks once per connection, before it reads from it, since
// a connection has one user whatever its requests are. A refused connection gets an HTTP response and is closed.

import type { Socket } from 'node:net'
import { forbidden, type StatusError } from '@homeostat/meta'
import { PeerUsers } from './peer-users.ts'

/** The most connections whose user is being looked up; more are closed. */
const MAX_WAITING = 4096
/** The most refused connections that wait for the peer to read the response; more are closed without one. */
const MAX_ANSWERED = 64
/** How long a refused client may take to send its request and read the response. */
const LINGER_MS = 1000

export interface UserGuardOptions {
  /** Numeric user ids. */
  readonly allowed: ReadonlySet<number>
  /** Called for every refused connection: `user` is not allowed, is `unknown`, or was not looked up (`busy`). */
  onRefused(user: number | 'unknown' | 'busy'): void
}

export class UserGuard {
  readonly #allowed: ReadonlySet<number>
  readonly #onRefused: UserGuardOptions['onRefused']
  readonly #peers = new PeerUsers()
  readonly #waiting = new Set<Socket>()
  readonly #answered = new Set<Socket>()

  constructor({ allowed, onRefused }: UserGuardOptions) {
    this.#allowed = allowed
    this.#onRefused = onRefused
  }

  /** Whether the user of the connection is allowed. The socket must be paused. The guard answers and closes a refused one. */
  async admits(socket: Socket): Promise<boolean> {
    socket.on('error', ignore)
    if (this.#waiting.size >= MAX_WAITING) {
      this.#onRefused('busy')
      socket.resetAndDestroy()
      return false
    }
    this.#waiting.add(socket)
    const user = await this.#peers.of(socket)
    this.#waiting.delete(socket)
    if (socket.destroyed) return false
    if (user !== undefined && this.#allowed.has(user)) {
      socket.off('error', ignore)
      return true
    }
    this.#onRefused(user ?? 'unknown')
    this.#refuse(socket, user === undefined ? UNKNOWN : REFUSED)
    return false
  }

  /** Closes all connections whose user is not known yet. */
  close(): void {
    this.#peers.close()
    for (const socket of [...this.#waiting, ...this.#answered]) socket.destroy()
  }

  /** Responds after the client's request: some clients treat an earlier response as a broken connection. */
  #refuse(socket: Socket, answer: Buffer): void {
    if (this.#answered.size >= MAX_ANSWERED) {
      socket.resetAndDestroy()
      return
    }
    this.#answered.add(socket)
    socket.once('close', () => this.#answered.delete(socket))
    socket.once('data', () => socket.end(answer))
    const late = setTimeout(() => socket.resetAndDestroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(late))
    socket.resume()
  }
}

function ignore(): void {}

const HOW = 'homeostat up --local-users says who may'
const NOTHING = { group: '', resource: '' }
// 403 and not 401: no credentials would help.
const REFUSED = httpResponse(
  forbidden(NOTHING, `another user of this machine started this server, and you may not use it (${HOW})`),
)
const UNKNOWN = httpResponse(
  forbidden(
    NOTHING,
    `this server accepts only some users of this machine and cannot determine which one you are (${HOW})`,
  ),
)

function httpResponse({ code, status }: StatusError): Buffer {
  const body = `${JSON.stringify(status)}\n`
  return Buffer.from(
    `HTTP/1.1 ${code} ${status.reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-cache, private\r\nConnection: close\r\n\r\n${body}`,
  )
}
