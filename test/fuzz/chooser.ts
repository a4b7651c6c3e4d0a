// Choices of one fuzzed input. They all come from fast-check, so that the seed of a run tells every one of them.

import fc from 'fast-check'

export class Chooser {
  readonly #value: fc.GeneratorValue

  constructor(value: fc.GeneratorValue) {
    this.#value = value
  }

  /** From 0 to max. */
  number(max: number): number {
    return this.#value(fc.integer, { min: 0, max })
  }

  chance(percent: number): boolean {
    return this.number(99) < percent
  }

  one<T>(choices: readonly T[]): T {
    return choices[this.number(choices.length - 1)] as T
  }

  many<T>(max: number, make: (i: number) => T): T[] {
    return Array.from({ length: this.number(max) }, (_, i) => make(i))
  }

  text(): string {
    return this.chance(70) ? this.one(TEXTS) : this.#value(fc.string, { unit: 'binary', maxLength: 40 })
  }

  bytes(max: number): Buffer {
    return Buffer.from(this.#value(fc.uint8Array, { maxLength: max }))
  }

  /** Any JSON, shallow. */
  json(depth = 3): unknown {
    const kind = this.number(depth > 0 ? 8 : 5)
    if (kind <= 1) return this.text()
    if (kind === 2) return this.one(NUMBERS)
    if (kind === 3) return this.chance(50)
    if (kind === 4) return null
    if (kind === 5) return this.number(1000)
    if (kind === 6) return this.many(4, () => this.json(depth - 1))
    return Object.fromEntries(this.many(4, () => [this.one(KEYS), this.json(depth - 1)]))
  }

  /** The same with a few bytes changed, cut out, doubled or put in. */
  mutate(body: Buffer): Buffer {
    let bytes = body
    for (let i = this.number(3); i >= 0; i--) {
      const at = this.number(bytes.length)
      const end = Math.min(bytes.length, at + this.number(20))
      const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
      switch (this.number(4)) {
        case 0:
          bytes = Buffer.concat([head, tail])
          break
        case 1:
          bytes = Buffer.concat([head, middle, middle, tail])
          break
        case 2:
          bytes = Buffer.concat([head, this.bytes(8), tail])
          break
        case 3:
          bytes = Buffer.concat([head, Buffer.from(this.one(TOKENS)), tail])
          break
        default:
          bytes = head
      }
    }
    return bytes
  }
}

const TEXTS = [
  '',
  'a',
  'b',
  'name',
  'x.example.com/y',
  'A B',
  '-',
  '..',
  '__proto__',
  'constructor',
  'toString',
  '2026-01-01T00:00:00Z',
  '1Gi',
  '10.0.0.1',
  'http',
  'TCP',
  '50%',
  'é',
  '\ud83d\ude00',
  '\ud800',
  '\0',
  '\n',
  '"',
  '\\',
  '*',
  'Always',
  'x'.repeat(300),
]
const KEYS = [
  'a',
  'b',
  'name',
  'kind',
  'metadata',
  'spec',
  'status',
  '',
  'constructor',
  'toString',
  '$patch',
  'x/y',
  '0',
]
const NUMBERS = [0, 1, -1, 0.5, 1e300, -1e-300, 2 ** 31, 2 ** 53, -(2 ** 63), 65535, 65536]
const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  'null',
  '1e999',
  '9223372036854775808',
  '&a ',
  '*a',
  '- ',
  '\n',
  '\t',
  '!!',
  '%',
  '\0',
  '---\n',
  '|',
  '>',
  '__proto__',
  '\\ud800',
]
