// Tells changes to handlers, in order, each once. A change that happens while one is told waits its turn; who
// subscribes meanwhile has seen its state already and does not hear of it. One that throws does not keep it from others.

import type { ApiObject } from '../api/kinds.ts'
import type { InformerEvent } from './informer.ts'

export type OnChange = (change: InformerEvent<ApiObject>) => void

interface Subscriber {
  onChange: OnChange | undefined
}

export class Announcer {
  readonly #onError: (error: Error) => void
  /** Replaced, never changed: a waiting change keeps the subscribers of its time. */
  #subscribers: readonly Subscriber[] = []
  #waiting: { change: InformerEvent<ApiObject>; subscribers: readonly Subscriber[] }[] = []
  #telling = false

  constructor(onError: (error: Error) => void) {
    this.#onError = onError
  }

  get size(): number {
    return this.#subscribers.length
  }

  subscribe(onChange: OnChange, objects: readonly ApiObject[]): () => void {
    const subscriber: Subscriber = { onChange }
    this.#subscribers = [...this.#subscribers, subscriber]
    // What the handler causes meanwhile is told after the state that it is being shown.
    const nested = this.#telling
    this.#telling = true
    for (const object of objects) this.#tell(subscriber, { type: 'added', object, previous: undefined, initial: true })
    this.#telling = nested
    this.flush()
    return () => {
      subscriber.onChange = undefined
      this.#subscribers = this.#subscribers.filter((other) => other !== subscriber)
    }
  }

  /** Takes a change in; `flush` tells it. */
  add(change: InformerEvent<ApiObject>): void {
    if (this.#subscribers.length > 0) this.#waiting.push({ change, subscribers: this.#subscribers })
  }

  flush(): void {
    if (this.#telling) return
    this.#telling = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      for (const { change, subscribers } of batch) for (const subscriber of subscribers) this.#tell(subscriber, change)
    }
    this.#telling = false
  }

  /** Nobody hears of anything any more. */
  close(): void {
    for (const subscriber of this.#subscribers) subscriber.onChange = undefined
    this.#subscribers = []
    this.#waiting = []
  }

  #tell(subscriber: Subscriber, change: InformerEvent<ApiObject>): void {
    try {
      subscriber.onChange?.(change)
    } catch (error) {
      this.#onError(new Error('A handler of changes threw; it will not hear of that change again.', { cause: error }))
    }
  }
}
