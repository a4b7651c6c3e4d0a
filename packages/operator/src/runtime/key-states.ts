// What the runtime remembers of each key between its runs. An entry goes with its object.

import type { ApiObject } from '@homeostat/client'
import { Triggers } from './triggers.ts'

export interface KeyState {
  /** Of the object that ran last; another one under the same name is somebody new. */
  uid: string | undefined
  readonly triggers: Triggers
  /** The object for which no further try would help. */
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
