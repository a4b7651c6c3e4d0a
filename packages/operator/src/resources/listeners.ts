// Listeners by event. An error or a rejected promise of one is logged and does not stop the others: it must neither end
// the process nor hide a change from the next listener.

export type Listener<A> = (argument: A) => unknown

export class Listeners<E extends string, A> {
  readonly #byEvent = new Map<E, Set<Listener<A>>>()

  get size(): number {
    let size = 0
    for (const listeners of this.#byEvent.values()) size += listeners.size
    return size
  }

  add(event: E, listener: Listener<A>): void {
    const listeners = this.#byEvent.get(event)
    if (listeners) listeners.add(listener)
    else this.#byEvent.set(event, new Set([listener]))
  }

  remove(event: E, listener: Listener<A>): void {
    const listeners = this.#byEvent.get(event)
    listeners?.delete(listener)
    if (listeners?.size === 0) this.#byEvent.delete(event)
  }

  clear(): void {
    this.#byEvent.clear()
  }

  /** Calls the current listeners; each once per event. */
  emit(event: E, argument: A, onError: (error: unknown) => void): void {
    for (const listener of [...(this.#byEvent.get(event) ?? [])]) {
      try {
        const answer = listener(argument)
        if (answer instanceof Promise) answer.catch(onError)
      } catch (error) {
        onError(error)
      }
    }
  }
}
