// Shared memory that turns faults on and off while a store runs.

export class Switch {
  readonly memory = new SharedArrayBuffer(4)
  readonly #value = new Int32Array(this.memory)

  set(value: number): void {
    Atomics.store(this.#value, 0, value)
    Atomics.notify(this.#value, 0)
  }

  get(): number {
    return Atomics.load(this.#value, 0)
  }
}
