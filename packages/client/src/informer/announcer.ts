// Calls the subscribers of an informer with each change, once and in order. A change made during a callback is queued.
// A subscriber that joins while changes are queued does not get those: the state it starts from holds them. A callback
// that throws does not keep the change from the others.

import type { ApiObject } from '../api/kinds.ts'
import type { InformerEvent } from './informer.ts'

export type OnChange = (change: InformerEvent<ApiObject>) => void

interface Subscriber {
  onChange: OnChange | undefined
}

export class Announcer {
  readonly #onError: (error: Error) => void
  /** Copied on write: a queued change keeps the subscribers of the moment it was made. */
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
    // Changes that the handler makes are queued until it has seen the whole initial state.
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

  /** Queues a change; `flush` delivers it. */
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

  /** Drops all subscribers and queued changes. */
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
