// Follows the objects of the operator's kinds and says on the screen what becomes of them.

import { type Client, createInformers, type Informers } from '@homeostat/client'
import type { RunDescription } from '@homeostat/operator/host'
import { nameOf, objectLine } from './object-lines.ts'
import type { Screen } from './screen.ts'

export class WatchedObjects {
  readonly #informers: Informers
  readonly #screen: Screen
  readonly #opened = new Set<string>()
  #isClosed = false

  constructor(client: Client, screen: Screen) {
    this.#informers = createInformers(client)
    this.#screen = screen
  }

  /** Call it when the kinds are served. A kind that is followed already is not followed twice; after `close`, none is. */
  follow({
    kinds,
    namespaces = [undefined],
  }: Pick<RunDescription, 'kinds'> & { namespaces?: readonly (string | undefined)[] | undefined }): void {
    // An operator that is told to end may still say that it works.
    if (this.#isClosed) return
    for (const { apiVersion, kind } of kinds) {
      for (const namespace of namespaces) {
        const key = `${apiVersion}/${kind}/${namespace ?? ''}`
        if (this.#opened.has(key)) continue
        this.#opened.add(key)
        this.#informers.open(apiVersion, kind, { namespace }).subscribe((change) => {
          const line = objectLine(change)
          if (line !== undefined) this.#screen.about(nameOf(change.object), line)
        })
      }
    }
  }

  close(): void {
    this.#isClosed = true
    this.#informers.close()
  }
}
