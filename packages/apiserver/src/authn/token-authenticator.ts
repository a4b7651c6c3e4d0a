// What every authenticator of bearer tokens has in common, and the list that asks them one after the other: the static file,
// service accounts, OIDC issuers. Requests and token reviews use it.

import type { User } from '../identity/user.ts'

export interface Recognised {
  readonly user: User
  /** The requested audiences that the token is valid for. */
  readonly audiences: readonly string[]
}

/** A user; a message when the token belongs to the authenticator and is invalid; undefined when it is another's. */
export type Verdict = Recognised | string | undefined

export interface TokenAuthenticator {
  /** Answers at once whatever it can decide locally. `audiences` are those of this server unless a review asks for others. */
  recognise(token: string, audiences: readonly string[]): Verdict | Promise<Verdict>
}

/** The first user wins. Otherwise the verdict is the message of the authenticator that the token belongs to. */
export class TokenAuthenticators implements TokenAuthenticator {
  readonly #list: () => readonly TokenAuthenticator[]

  constructor(list: () => readonly TokenAuthenticator[]) {
    this.#list = list
  }

  recognise(token: string, audiences: readonly string[]): Verdict | Promise<Verdict> {
    return ask(this.#list(), 0, undefined, token, audiences)
  }
}

function ask(
  list: readonly TokenAuthenticator[],
  from: number,
  problem: string | undefined,
  token: string,
  audiences: readonly string[],
): Verdict | Promise<Verdict> {
  let refused = problem
  for (let at = from; at < list.length; at++) {
    const verdict = (list[at] as TokenAuthenticator).recognise(token, audiences)
    if (verdict instanceof Promise) {
      const before = refused
      return verdict.then((late) =>
        typeof late === 'object' ? late : ask(list, at + 1, before ?? late, token, audiences),
      )
    }
    if (typeof verdict === 'object') return verdict
    refused ??= verdict
  }
  return refused
}
