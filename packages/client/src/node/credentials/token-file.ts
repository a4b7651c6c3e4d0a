// A bearer token from a file that something else rotates, such as a service account's. It is read again once a minute,
// and at once when the server refuses it.

import { readFileSync } from 'node:fs'
import { type Clock, systemClock } from '@homeostat/base'
import { bearer, type Credential, type Credentials } from './credentials.ts'

const FRESH_MS = 60_000

export class TokenFile implements Credentials {
  readonly #path: string
  readonly #clock: Clock
  /** The last token, used while the file cannot be read. */
  #token: string | undefined
  #credential: Credential | undefined
  #readAt = 0

  constructor(path: string, fallback?: string, clock: Clock = systemClock) {
    this.#path = path
    this.#token = fallback
    this.#clock = clock
  }

  async get(): Promise<Credential> {
    const now = this.#clock.now()
    if (this.#credential !== undefined && now - this.#readAt < FRESH_MS) return this.#credential
    const token = this.#read()
    this.#readAt = now
    if (this.#credential === undefined || token !== this.#token) this.#credential = bearer(token)
    this.#token = token
    return this.#credential
  }

  refused(credential: Credential): boolean {
    if (credential !== this.#credential) return true
    this.#readAt = Number.NEGATIVE_INFINITY
    try {
      return this.#read() !== this.#token
    } catch {
      return false
    }
  }

  #read(): string {
    try {
      // A synchronous read is cheap: the file is small, local, and read once a minute.
      const token = readFileSync(this.#path, 'utf8').trim()
      if (token !== '') return token
    } catch (cause) {
      if (this.#token === undefined) throw new Error(`the token file ${this.#path} could not be read`, { cause })
    }
    if (this.#token === undefined) throw new Error(`the token file ${this.#path} is empty`)
    return this.#token
  }
}
