// Lets only some users of this machine speak to the server. Asked once per connection.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type StatusError, unauthorized } from '@homeostat/meta'
import { localUser } from './local-connection.ts'
import { peerUser } from './peer-user.ts'

export class UserGuard {
  readonly #uid: number
  readonly #allowed = new WeakMap<Socket, boolean>()

  /** `uid` is the one user who may, beside root, who may do anything anyhow. */
  constructor(uid: number) {
    this.#uid = uid
  }

  /** Why the request is refused, or undefined. */
  refuse({ socket }: IncomingMessage): StatusError | undefined {
    let allowed = this.#allowed.get(socket)
    if (allowed === undefined) {
      allowed = localUser(socket) !== undefined || this.#mayUse(socket)
      this.#allowed.set(socket, allowed)
    }
    if (allowed) return undefined
    return unauthorized(
      'this server runs programs on this machine, so only the user who started it may use it ' +
        '(--local-users all lets everyone in)',
    )
  }

  #mayUse(socket: Socket): boolean {
    const user = peerUser(socket)
    return user === this.#uid || user === 0
  }
}
