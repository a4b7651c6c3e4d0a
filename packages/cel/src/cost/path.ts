// Where a part of an expression lies in its variable: `self.items.@items.name`. Kubernetes keeps paths in slices of Go, which share their
// memory while they have room: a longer path can so change another. Estimates follow from that, so that it is kept here.

export class Path {
  static readonly none = new Path([], 0, 0)
  readonly #memory: string[]
  readonly length: number
  readonly #room: number

  private constructor(memory: string[], length: number, room: number) {
    this.#memory = memory
    this.length = length
    this.#room = room
  }

  static of(variable: string): Path {
    return new Path([variable], 1, 1)
  }

  /** Writes into the shared memory if it has room. */
  append(step: string): Path {
    const memory = this.length < this.#room ? this.#memory : this.#memory.slice(0, this.length)
    memory[this.length] = step
    return new Path(memory, this.length + 1, this.length < this.#room ? this.#room : Math.max(1, this.#room * 2))
  }

  steps(): readonly string[] {
    return this.#memory.slice(0, this.length)
  }
}
