// Logins at OIDC providers, without a table: what the end of a login needs is sealed under its state and kept by the tab that began it.
// So a code that somebody else brings along, or that arrives in another browser, opens nothing.

import type { Clock } from '@homeostat/base'
import type { BegunLogin, ProviderQuestion, Providers, ProviderTokens } from './providers.ts'
import { seal, unseal } from './seal.ts'

/** How long a person may take at the provider. */
const LOGIN_MS = 10 * 60_000
/** Strangers may begin logins: no more of them keep the provider busy at a time. */
const MOST_AT_ONCE = 16
/** No address of a browser is longer. */
const LONGEST_ANSWER = 8192
const PURPOSE = 'login'

export interface LoginsOptions {
  readonly providers: Providers
  readonly secret: Buffer
  readonly clock: Pick<Clock, 'now'>
}

/** Sent to the page: where to go, and what to bring along at the end. */
export interface LoginStart {
  readonly url: string
  readonly kept: string
}

/** A message for the person, and the status of the answer. */
export class LoginRefused extends Error {
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

export class Logins {
  readonly #options: LoginsOptions
  #busy = 0

  constructor(options: LoginsOptions) {
    this.#options = options
  }

  get issuers(): readonly string[] {
    return this.#options.providers.issuers()
  }

  async begin(issuer: string, redirect: string): Promise<LoginStart> {
    const { providers, secret, clock } = this.#options
    if (!this.issuers.includes(issuer)) throw new LoginRefused(400, 'this server accepts no tokens of that issuer')
    const { url, state, begun }: ProviderQuestion = await this.#ask(() => providers.begin(issuer, redirect))
    const text = JSON.stringify({ ...begun, until: clock.now() + LOGIN_MS })
    return { url, kept: seal(text, secret, state, PURPOSE) }
  }

  /** `answer`: the query with which the provider sent the browser back. */
  async finish(kept: string, answer: string): Promise<ProviderTokens & { readonly issuer: string }> {
    const { providers, secret, clock } = this.#options
    if (answer.length > LONGEST_ANSWER) throw new LoginRefused(400, 'what the provider sent back is too long')
    const brought = new URLSearchParams(answer)
    const text = unseal(kept, secret, brought.get('state') ?? '', PURPOSE)
    const begun = text === undefined ? undefined : (JSON.parse(text) as BegunLogin & { readonly until: number })
    if (begun === undefined || begun.until <= clock.now())
      throw new LoginRefused(400, 'this login was not begun here, or took more than ten minutes; begin it again')
    if (!this.issuers.includes(begun.issuer))
      throw new LoginRefused(400, `this server accepts no tokens of ${begun.issuer} any more`)
    const tokens = await this.#ask(() => providers.finish(begun, brought))
    return { ...tokens, issuer: begun.issuer }
  }

  /** Undefined when the person has to log in again. */
  async refresh(issuer: string, refreshToken: string): Promise<ProviderTokens | undefined> {
    if (!this.issuers.includes(issuer)) return undefined
    return this.#ask(() => this.#options.providers.refresh(issuer, refreshToken))
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.#busy >= MOST_AT_ONCE) throw new LoginRefused(503, 'too many people log in just now; try again')
    this.#busy++
    try {
      return await question()
    } catch (error) {
      throw new LoginRefused(502, (error as Error).message, { cause: error })
    } finally {
      this.#busy--
    }
  }
}
