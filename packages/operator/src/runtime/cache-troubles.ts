// Logs why informers are stale: an unreachable server once for all kinds, any other error once per kind and
// namespace, and each recovery once. The informers of a process report to it.

import type { Log } from '@homeostat/base'
import type { Selection } from '@homeostat/client'
import { isUnreachable } from './await-server.ts'
import type { KindRef } from './object-key.ts'

interface TroubledInformer extends KindRef {
  readonly selection?: Selection
}

export class CacheTroubles {
  readonly #log: Log
  readonly #server: string | undefined
  /** Kinds whose informers cannot reach the server. */
  readonly #unreached = new Set<string>()
  /** The last logged error of each kind, other than an unreachable server. */
  readonly #said = new Map<string, string>()

  constructor(log: Log, server: string | undefined) {
    this.#log = log
    this.#server = server
  }

  troubled(error: Error, informer: TroubledInformer): void {
    const { apiVersion, kind, selection } = informer
    const id = idOf(informer)
    if (isUnreachable(error)) {
      const fields = { server: this.#server, err: error }
      if (this.#unreached.size === 0) this.#log.warn(fields, 'the connection to the server is lost; it is made again')
      this.#unreached.add(id)
    } else if (this.#said.get(id) !== error.message) {
      // A kind that is not served, or forbidden, is retried again and again with the same error.
      this.#said.set(id, error.message)
      this.#log.warn({ err: error, apiVersion, kind, namespace: selection?.namespace }, 'a cache is not current')
    }
  }

  recovered(informer: TroubledInformer): void {
    const { apiVersion, kind, selection } = informer
    const id = idOf(informer)
    if (this.#unreached.delete(id) && this.#unreached.size === 0) {
      this.#log.info({ server: this.#server }, 'the connection to the server is there again')
    }
    if (this.#said.delete(id)) {
      this.#log.info({ apiVersion, kind, namespace: selection?.namespace }, 'a cache is current again')
    }
  }
}

function idOf({ apiVersion, kind, selection }: TroubledInformer): string {
  return `${selection?.namespace ?? ''} ${apiVersion}/${kind}`
}
