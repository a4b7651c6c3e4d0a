// Says in the log what keeps caches from being current: a server that cannot be reached once for all kinds, anything else
// once per kind; and each once more when it is over. The informers of a process tell it.

import type { Log } from '@homeostat/base'
import { isUnreachable } from './await-server.ts'
import type { KindRef } from './object-key.ts'

export class CacheTroubles {
  readonly #log: Log
  readonly #server: string | undefined
  /** Kinds whose caches do not reach the server. */
  readonly #unreached = new Set<string>()
  /** What else is wrong with the cache of a kind, as it was said. */
  readonly #said = new Map<string, string>()

  constructor(log: Log, server: string | undefined) {
    this.#log = log
    this.#server = server
  }

  troubled(error: Error, { apiVersion, kind }: KindRef): void {
    const id = `${apiVersion}/${kind}`
    if (isUnreachable(error)) {
      const fields = { server: this.#server, err: error }
      if (this.#unreached.size === 0) this.#log.warn(fields, 'the connection to the server is lost; it is made again')
      this.#unreached.add(id)
    } else if (this.#said.get(id) !== error.message) {
      // A kind that is not there, or not allowed, is tried again and again.
      this.#said.set(id, error.message)
      this.#log.warn({ err: error, apiVersion, kind }, 'a cache is not current')
    }
  }

  recovered({ apiVersion, kind }: KindRef): void {
    const id = `${apiVersion}/${kind}`
    if (this.#unreached.delete(id) && this.#unreached.size === 0) {
      this.#log.info({ server: this.#server }, 'the connection to the server is there again')
    }
    if (this.#said.delete(id)) this.#log.info({ apiVersion, kind }, 'a cache is current again')
  }
}
