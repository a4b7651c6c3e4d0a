// What the runtime remembers of each key between reconciles. An entry is dropped with its object.

import type { ApiObject } from '@homeostat/client'
import { Triggers } from './triggers.ts'

export interface KeyState {
  /** Uid of the object that was reconciled last; another uid under the same name is a new object. */
  uid: string | undefined
  readonly triggers: Triggers
  /** The object whose reconcile ended as terminal: a retry would not help. */
  terminal: ApiObject | undefined
  /** When the next retry is due, in ms since the epoch. */
  retryAt: number | undefined
}

export class KeyStates {
  readonly #states = new Map<string, KeyState>()

  get size(): number {
    return this.#states.size
  }

  of(key: string): KeyState {
    let state = this.#states.get(key)
    if (state === undefined) {
      state = { uid: undefined, triggers: new Triggers(), terminal: undefined, retryAt: undefined }
      this.#states.set(key, state)
    }
    return state
  }

  find(key: string): KeyState | undefined {
    return this.#states.get(key)
  }

  drop(key: string): void {
    this.#states.delete(key)
  }
}
