// The runtime's fight detector. Informers report every object that arrives or is deleted; a reconcile asks before it
// applies.

import type { Clock } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { type Fight, type FightDetector, WHOLE_OBJECT } from '../runtime/companions.ts'
import type { ObjectRef } from '../runtime/reconcile-context.ts'
import { FightBook, type FightBookOptions } from './fight-book.ts'
import { takenOver } from './taken-over.ts'

export interface FightWatchOptions extends FightBookOptions {
  readonly fieldManager: string
  readonly clock: Clock
}

/** Limit on objects that this operator deletes and that finalizers still hold. */
const MAX_REMOVING = 1000

export class FightWatch implements FightDetector {
  readonly #options: FightWatchOptions
  readonly #book: FightBook
  /** Uids of those objects. */
  readonly #removing = new Set<string>()

  constructor(options: FightWatchOptions) {
    this.#options = options
    this.#book = new FightBook(options)
  }

  arrived(object: ApiObject, before: object | undefined): void {
    if (before === undefined) return
    const { fieldManager, clock } = this.#options
    const takeovers = takenOver(before, object, fieldManager)
    if (takeovers.length > 0) this.#book.note(keyOf(object, object.metadata), takeovers, clock.now())
  }

  deleted(object: ApiObject): void {
    if (this.#removing.delete(object.metadata.uid ?? '')) return
    const takeover = { field: WHOLE_OBJECT, rival: 'somebody else' }
    this.#book.note(keyOf(object, object.metadata), [takeover], this.#options.clock.now())
  }

  removes(uid: string): void {
    if (this.#removing.size >= MAX_REMOVING) this.#removing.clear()
    this.#removing.add(uid)
  }

  over(ref: ObjectRef): Fight | undefined {
    if (this.#book.size === 0) return undefined
    const verdict = this.#book.verdict(keyOf(ref, ref), this.#options.clock.now())
    return verdict && { ...verdict, manager: this.#options.fieldManager }
  }
}

function keyOf(
  kind: { readonly apiVersion: string; readonly kind: string },
  name: { readonly namespace?: string | undefined; readonly name?: string },
): string {
  return `${kind.apiVersion}/${kind.kind}/${name.namespace ?? ''}/${name.name ?? ''}`
}
