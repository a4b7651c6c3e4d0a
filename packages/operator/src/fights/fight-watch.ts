// The detector of fights that the runtime asks: what arrived is looked at once, what is applied is asked about.

import type { ApiObject } from '@homeostat/client'
import type { Clock } from '@homeostat/queue'
import type { Fight, FightDetector } from '../runtime/companions.ts'
import type { ConditionInput, ObjectRef } from '../runtime/run.ts'
import { FightBook, type FightBookOptions } from './fight-book.ts'
import { takenOver } from './taken-over.ts'

export interface FightWatchOptions extends FightBookOptions {
  readonly fieldManager: string
  readonly clock: Clock
}

export class FightWatch implements FightDetector {
  readonly #options: FightWatchOptions
  readonly #book: FightBook

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

  over(ref: ObjectRef): Fight | undefined {
    if (this.#book.size === 0) return undefined
    const verdict = this.#book.verdict(keyOf(ref, ref), this.#options.clock.now())
    return verdict && { ...verdict, manager: this.#options.fieldManager }
  }
}

/** The condition `Fighting` of an object whose run applies `child`. */
export function fightCondition(child: ObjectRef, fight: Fight): ConditionInput {
  const { field, manager, rival } = fight
  return {
    status: 'True',
    reason: 'FieldChangedByOther',
    message:
      `${field} of ${child.kind} ${child.name} is set by ${manager} and changed by ${rival}, again and again. ` +
      `Leave it out of the manifest, or stop ${rival}.`,
  }
}

function keyOf(
  kind: { readonly apiVersion: string; readonly kind: string },
  name: { readonly namespace?: string | undefined; readonly name?: string },
): string {
  return `${kind.apiVersion}/${kind.kind}/${name.namespace ?? ''}/${name.name ?? ''}`
}
