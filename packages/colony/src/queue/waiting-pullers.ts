// The long polls that wait for work, in the order in which they came. The server adds them and wakes exactly one for
// each Process that it could have; it is the server that limits how many may wait.

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

  /** Answers how to take it out again; to do so twice is harmless. */
  add(puller: Puller, value: T): () => void {
    const waiting = { puller, value }
    this.#byType.add(key(puller.namespace, puller.type), waiting)
    this.#byName.add(key(puller.namespace, puller.name), waiting)
    this.#size += 1
    return () => this.#remove(waiting)
  }

  /** Takes out the one of this type that has waited longest of those that accept. */
  match(accepts: (puller: Puller) => boolean, namespace: string, executorType: string): T | undefined {
    for (const waiting of this.#byType.get(key(namespace, executorType))) {
      if (!accepts(waiting.puller)) continue
      this.#remove(waiting)
      return waiting.value
    }
    return undefined
  }

  /** Those of one executor. They stay. */
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
