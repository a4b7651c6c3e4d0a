// The long polls that wait for work, in the order of their arrival. The server adds them, wakes exactly one for each
// Process, and limits how many may wait.

import type { Puller } from './queued-process.ts'
import { Sets } from './sets.ts'

interface Waiting<T> {
  readonly puller: Puller
  readonly value: T
}

export class WaitingPullers<T> {
  readonly #byType = new Sets<Waiting<T>>()
  readonly #byName = new Sets<Waiting<T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Returns a function that removes it; calling that twice is harmless. */
  add(puller: Puller, value: T): () => void {
    const waiting = { puller, value }
    this.#byType.add(key(puller.namespace, puller.type), waiting)
    this.#byName.add(key(puller.namespace, puller.name), waiting)
    this.#size += 1
    return () => this.#remove(waiting)
  }

  /** Removes and returns the long poll of this type that has waited longest among those that `accepts` allows. */
  match(accepts: (puller: Puller) => boolean, namespace: string, executorType: string): T | undefined {
    for (const waiting of this.#byType.get(key(namespace, executorType))) {
      if (!accepts(waiting.puller)) continue
      this.#remove(waiting)
      return waiting.value
    }
    return undefined
  }

  /** The long polls of one executor. They are not removed. */
  of(namespace: string, name: string): T[] {
    return Array.from(this.#byName.get(key(namespace, name)), ({ value }) => value)
  }

  #remove(waiting: Waiting<T>): void {
    const { namespace, type, name } = waiting.puller
    if (!this.#byType.delete(key(namespace, type), waiting)) return
    this.#byName.delete(key(namespace, name), waiting)
    this.#size -= 1
  }
}

/** A namespace has no slash in its name. */
function key(namespace: string, rest: string): string {
  return `${namespace}/${rest}`
}
