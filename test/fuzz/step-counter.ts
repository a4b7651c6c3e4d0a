// Counts what a thread does in steps instead of milliseconds, which a busy machine does not change: V8 counts how often
// each block of code runs, and what its built-in functions go through for one such block is added here.
// The server of fuzz-server.ts has one. It makes all code about three times slower.

import { Session } from 'node:inspector'

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
  }[]
}

/** So many items a built-in function looks at, or moves, in the time of one block of code. */
const LOOKED_AT = 8
const MOVED = 64

export class StepCounter {
  readonly #session = new Session()
  #builtin = 0

  constructor() {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    this.#countItems(Array.prototype, ['includes', 'indexOf', 'lastIndexOf', 'join', 'sort', 'toSorted'], LOOKED_AT)
    this.#countItems(Array.prototype, ['slice', 'splice', 'shift', 'unshift', 'concat', 'reverse'], MOVED)
    this.#countItems(Object, ['keys', 'values', 'entries'], LOOKED_AT)
  }

  /** The steps since the last call. */
  take(): number {
    let steps = this.#builtin
    this.#session.post('Profiler.takePreciseCoverage', (_error, coverage) => {
      for (const script of (coverage as Coverage).result) {
        for (const { ranges } of script.functions) for (const { count } of ranges) steps += count
      }
    })
    this.#builtin = 0
    return Math.round(steps)
  }

  /** Counts the arrays that these functions are called on, or give back. */
  #countItems(owner: object, names: readonly string[], itemsPerStep: number): void {
    const count = (value: unknown) => {
      if (Array.isArray(value)) this.#builtin += value.length / itemsPerStep
    }
    for (const name of names) {
      const plain = Reflect.get(owner, name) as (...args: unknown[]) => unknown
      const value = function (this: unknown, ...args: unknown[]) {
        count(this)
        const result = Reflect.apply(plain, this, args)
        if (result !== this) count(result)
        return result
      }
      Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: false })
    }
  }
}
