// Why a key was queued: the last few triggers of each key, for the log, for observers and for `why`.

import type { ApiObject, InformerEvent } from '@homeostat/client'
import { shownRef } from './object-key.ts'

export interface Trigger {
  /** E.g. `created`, `ConfigMap shop/settings changed`, `retry`. */
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly resourceVersion?: string | undefined
  /** The field manager that made the change, if known. */
  readonly manager?: string | undefined
}

const MAX_TRIGGERS = 8

/** The last triggers of one key. */
export class Triggers {
  readonly #last: Trigger[] = []
  #unseen = 0

  add(trigger: Trigger): void {
    this.#last.push(trigger)
    if (this.#last.length > MAX_TRIGGERS) this.#last.shift()
    this.#unseen = Math.min(this.#unseen + 1, MAX_TRIGGERS)
  }

  /** The triggers since the last call, oldest first. When there are none, a timer queued the key, and `timer` is recorded. */
  take(timer: () => Trigger): readonly Trigger[] {
    if (this.#unseen === 0) this.add(timer())
    const taken = this.#last.slice(-this.#unseen)
    this.#unseen = 0
    return taken
  }

  get last(): readonly Trigger[] {
    return [...this.#last]
  }
}

export function ownTriggerText({ type, initial, object, previous }: InformerEvent<ApiObject>): string {
  if (type === 'deleted') return 'gone'
  if (type === 'added') return initial ? 'found' : 'created'
  const leaving = object.metadata.deletionTimestamp !== undefined
  return leaving && previous?.metadata.deletionTimestamp === undefined ? 'deleted' : 'changed'
}

export function readTriggerText({ type, object }: InformerEvent<ApiObject>): string {
  const word = { added: 'appeared', updated: 'changed', deleted: 'went' }[type]
  const { name = '', namespace } = object.metadata
  return `${shownRef({ kind: object.kind, name, namespace })} ${word}`
}
