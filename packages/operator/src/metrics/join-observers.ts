// Combines several observers into one: all are notified, and they wrap a reconcile in order, the first outermost.

import type { ObservedOutcome, Observer, QueueState, RunFacts, WriteResult } from '../runtime/companions.ts'

export function joinObservers(observers: readonly Observer[]): Observer | undefined {
  return observers.length < 2 ? observers[0] : new JoinedObservers(observers)
}

class JoinedObservers implements Observer {
  readonly #observers: readonly Observer[]

  constructor(observers: readonly Observer[]) {
    this.#observers = observers
  }

  around(run: RunFacts, work: () => Promise<ObservedOutcome>): Promise<ObservedOutcome> {
    let outer = work
    for (const observer of this.#observers.toReversed()) {
      const inner = outer
      if (observer.around) outer = () => observer.around?.(run, inner) ?? inner()
    }
    return outer()
  }

  retried(kind: string): void {
    for (const observer of this.#observers) observer.retried?.(kind)
  }

  wrote(kind: string, result: WriteResult): void {
    for (const observer of this.#observers) observer.wrote?.(kind, result)
  }

  waited(ms: number): void {
    for (const observer of this.#observers) observer.waited?.(ms)
  }

  queue(kind: string, state: () => QueueState): void {
    for (const observer of this.#observers) observer.queue?.(kind, state)
  }
  owned(kind: string, count: () => number): void {
    for (const observer of this.#observers) observer.owned?.(kind, count)
  }
}
