// Why a key was queued: the last few triggers of each key, for the log, for observers and for `why`.

import type { ApiObject, InformerEvent } from '@homeostat/client'
import { refOf, shownRef } from './object-key.ts'
import type { ObjectRef } from './reconcile-context.ts'

export interface Trigger {
  /** E.g. `created`, `ConfigMap shop/settings changed`, `retry`. */
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The object whose change it was. */
  readonly object?: ObjectRef | undefined
  readonly resourceVersion?: string | undefined
  readonly generation?: number | undefined
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

/** What a trigger says of the changed object. */
export function changedObject(object: ApiObject): Pick<Trigger, 'object' | 'resourceVersion' | 'generation'> {
  const { resourceVersion, generation } = object.metadata
  return { object: refOf(object), resourceVersion, ...(generation !== undefined && { generation }) }
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
