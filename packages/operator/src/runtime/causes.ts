// Why a key runs: the last few causes, for the log, for observers and for who asks later.

import type { ApiObject, Change } from '@homeostat/client'
import { shownRef } from './object-key.ts'

export interface Cause {
  /** E.g. `created`, `ConfigMap shop/settings changed`, `retry`. */
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly resourceVersion?: string | undefined
  /** Who made the change, as far as it can be known. */
  readonly manager?: string | undefined
}

const MAX_CAUSES = 8

/** The last causes of one key. */
export class Causes {
  readonly #last: Cause[] = []
  #unseen = 0

  add(cause: Cause): void {
    this.#last.push(cause)
    if (this.#last.length > MAX_CAUSES) this.#last.shift()
    this.#unseen = Math.min(this.#unseen + 1, MAX_CAUSES)
  }

  /** Those since the last call, oldest first. When there is none, a timer it was: `timer` is noted. */
  take(timer: () => Cause): readonly Cause[] {
    if (this.#unseen === 0) this.add(timer())
    const taken = this.#last.slice(-this.#unseen)
    this.#unseen = 0
    return taken
  }

  get last(): readonly Cause[] {
    return [...this.#last]
  }
}

export function causeOfOwn({ type, initial, object, previous }: Change<ApiObject>): string {
  if (type === 'deleted') return 'gone'
  if (type === 'added') return initial ? 'found' : 'created'
  const leaving = object.metadata.deletionTimestamp !== undefined
  return leaving && previous?.metadata.deletionTimestamp === undefined ? 'deleted' : 'changed'
}

export function causeOfRead({ type, object }: Change<ApiObject>): string {
  const word = { added: 'appeared', updated: 'changed', deleted: 'went' }[type]
  const { name = '', namespace } = object.metadata
  return `${shownRef({ kind: object.kind, name, namespace })} ${word}`
}
