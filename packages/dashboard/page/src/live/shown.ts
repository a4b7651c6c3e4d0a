// A value that screens show and that changes by itself. Changes of one frame are told once, so that a thousand events per second
// cost sixty renders at most.

import { useSyncExternalStore } from 'react'

export class Shown<T> {
  #value: T
  #shown: T
  #scheduled = false
  readonly #listeners = new Set<() => void>()

  constructor(value: T) {
    this.#value = value
    this.#shown = value
  }

  get value(): T {
    return this.#value
  }

  set(value: T): void {
    this.#value = value
    if (this.#scheduled) return
    this.#scheduled = true
    // A page in the background gets no frames, and shows nothing either; it catches up with its next one.
    requestAnimationFrame(() => {
      this.#scheduled = false
      this.#shown = this.#value
      for (const listener of this.#listeners) listener()
    })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): T => this.#shown
}

export function useShown<T>(shown: Shown<T>): T {
  return useSyncExternalStore(shown.subscribe, shown.snapshot)
}
