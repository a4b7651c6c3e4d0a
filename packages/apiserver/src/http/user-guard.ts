// Lets only some users of this machine connect. The listener asks once per connection, before anything of it is read: who speaks
// belongs to the connection, whatever requests come on it. Those who may not are answered in HTTP and cut off.

import type { Socket } from 'node:net'
import { forbidden, type StatusError } from '@homeostat/meta'
import { PeerUsers } from './peer-users.ts'

/** Connections whose user is being looked up; more are cut off. */
const MAX_WAITING = 4096
/** Refused connections that are answered and wait for the peer's end; more are cut off without an answer. */
const MAX_ANSWERED = 64
/** How long a refused peer may take to ask for its answer and to read it. */
const LINGER_MS = 1000

export interface UserGuardOptions {
  /** By number. */
  readonly allowed: ReadonlySet<number>
  /** Hears of every connection that is refused: `user` may not, is `unknown`, or was not looked up as too many wait. */
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

  /** Whether the user at the other end may use the server. The socket is paused; a refused one is taken care of. */
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

  /** Cuts off all whose user is not known yet. */
  close(): void {
    this.#peers.close()
    for (const socket of [...this.#waiting, ...this.#answered]) socket.destroy()
  }

  /** Answers once the peer has asked: some clients take an answer that comes earlier for a broken connection. */
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
const REFUSED = httpAnswer(
  forbidden(NOTHING, `another user of this machine started this server, and you may not use it (${HOW})`),
)
const UNKNOWN = httpAnswer(
  forbidden(NOTHING, `this server is for some users of this machine, and which one you are cannot be told (${HOW})`),
)

function httpAnswer({ code, status }: StatusError): Buffer {
  const body = `${JSON.stringify(status)}\n`
  return Buffer.from(
    `HTTP/1.1 ${code} ${status.reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-cache, private\r\nConnection: close\r\n\r\n${body}`,
  )
}
