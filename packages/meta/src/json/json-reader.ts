// Our own strict JSON reader. It finds duplicate keys, keeps int64 exact, limits depth and says where a text
// breaks. Slower than JSON.parse: readJson comes here only for texts that need it.

import type { JsonValue } from './json-value.ts'

export interface JsonRead {
  value: JsonValue
  /** Paths of keys that occur twice, such as `spec.replicas` or `spec.ports[0].name`. The last value counts. */
  duplicates: string[]
  /** The same for YAML, whose parser reports lines. */
  readonly repeatedLines?: readonly string[]
}

export class JsonError extends Error {
  /** In characters of the text. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(`${message} at offset ${offset}`)
    this.name = 'JsonError'
    this.offset = offset
  }
}

export const MAX_DEPTH = 1000
const MAX_DUPLICATES = 100
const MAX_INT64 = 2n ** 63n - 1n
const MIN_INT64 = -(2n ** 63n)
/** An integer of so few digits is always exact. */
const EXACT_DIGITS = 15
/** Those of the largest int64. */
const MAX_DIGITS = 19
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

export function readJsonSlowly(text: string): JsonRead {
  return new JsonReader(text).read()
}

class JsonReader {
  readonly #text: string
  readonly #path: (string | number)[] = []
  readonly #duplicates = new Set<string>()
  #at = 0

  constructor(text: string) {
    // Go replaces lone surrogates, too; those written as escapes are replaced where they are read.
    this.#text = text.toWellFormed()
  }

  read(): JsonRead {
    this.#skipSpace()
    const value = this.#value()
    this.#skipSpace()
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the text')
    return { value, duplicates: [...this.#duplicates] }
  }

  #value(): JsonValue {
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x7b:
        return this.#object()
      case 0x5b:
        return this.#array()
      case 0x22:
        return this.#string()
      case 0x74:
        return this.#word('true', true)
      case 0x66:
        return this.#word('false', false)
      case 0x6e:
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #object(): JsonValue {
    const object: { [key: string]: JsonValue } = {}
    this.#open()
    if (this.#take(0x7d)) return object
    const depth = this.#path.length
    do {
      this.#skipSpace()
      const start = this.#at
      if (this.#text.charCodeAt(start) !== 0x22) throw this.#unexpected('a key in double quotes')
      const key = this.#string()
      if (key === '__proto__') throw new JsonError('the key "__proto__" is not allowed', start)
      this.#path[depth] = key
      if (object[key] !== undefined && Object.hasOwn(object, key)) this.#noteDuplicate()
      this.#skipSpace()
      if (!this.#take(0x3a)) throw this.#unexpected('":"')
      this.#skipSpace()
      object[key] = this.#value()
      this.#path.length = depth
      this.#skipSpace()
    } while (this.#take(0x2c))
    if (!this.#take(0x7d)) throw this.#unexpected('"," or "}"')
    return object
  }

  #array(): JsonValue {
    const array: JsonValue[] = []
    this.#open()
    if (this.#take(0x5d)) return array
    const depth = this.#path.length
    do {
      this.#skipSpace()
      this.#path[depth] = array.length
      array.push(this.#value())
      this.#path.length = depth
      this.#skipSpace()
    } while (this.#take(0x2c))
    if (!this.#take(0x5d)) throw this.#unexpected('"," or "]"')
    return array
  }

  #open(): void {
    if (this.#path.length >= MAX_DEPTH) throw new JsonError(`nested deeper than ${MAX_DEPTH} levels`, this.#at)
    this.#at++
    this.#skipSpace()
  }

  #string(): string {
    const text = this.#text
    const start = this.#at
    let end = start + 1
    // Past the end the code is NaN, and the text broken.
    for (let code = text.charCodeAt(end); code !== 0x22; code = text.charCodeAt(end)) {
      if (code === 0x5c || !(code >= 0x20)) return this.#stringWithEscapes(start, end)
      end++
    }
    this.#at = end + 1
    return text.slice(start + 1, end)
  }

  #stringWithEscapes(start: number, from: number): string {
    for (let at = from; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at)
      if (code < 0x20) throw new JsonError('a control character in a string', at)
      if (code === 0x5c) at++
      if (code !== 0x22) continue
      this.#at = at + 1
      try {
        return (JSON.parse(this.#text.slice(start, at + 1)) as string).toWellFormed()
      } catch {
        throw new JsonError('a bad escape in a string', start)
      }
    }
    throw new JsonError('a string without an end', start)
  }

  #number(): number | bigint {
    const text = this.#text
    const start = this.#at
    let number = text.charCodeAt(start) - 0x30
    if (!(number > 0 && number <= 9)) return this.#anyNumber()
    // Nearly all numbers are a few digits and nothing else.
    let at = start + 1
    for (; ; at++) {
      const code = text.charCodeAt(at)
      if (code >= 0x30 && code <= 0x39) number = number * 10 + code - 0x30
      else if (code === 0x2e || code === 0x65 || code === 0x45) return this.#anyNumber()
      else break
    }
    if (at - start > MAX_DIGITS) {
      const nearest = Number(text.slice(start, at))
      if (!Number.isFinite(nearest)) return this.#anyNumber()
      this.#at = at
      return nearest
    }
    this.#at = at
    return at - start <= EXACT_DIGITS ? number : exactInteger(text.slice(start, at))
  }

  #anyNumber(): number | bigint {
    NUMBER.lastIndex = this.#at
    const literal = NUMBER.exec(this.#text)?.[0]
    if (literal === undefined) throw this.#unexpected('a value')
    const start = this.#at
    this.#at += literal.length
    const number = Number(literal)
    if (!Number.isFinite(number)) throw new JsonError('a number is out of range', start)
    if (Number.isSafeInteger(number) || /[.eE]/.test(literal)) return number === 0 ? 0 : number
    return literal.length <= MAX_DIGITS + 1 ? exactInteger(literal) : number
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected('a value')
    this.#at += word.length
    return value
  }

  #take(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false
    this.#at++
    return true
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at++
    }
  }

  #noteDuplicate(): void {
    if (this.#duplicates.size >= MAX_DUPLICATES) return
    let path = ''
    for (const step of this.#path) path += typeof step === 'number' ? `[${step}]` : path === '' ? step : `.${step}`
    this.#duplicates.add(path)
  }

  #unexpected(expected: string): JsonError {
    const found = this.#text[this.#at]
    return new JsonError(
      `${found === undefined ? 'the text ends' : `found ${JSON.stringify(found)}`}, expected ${expected}`,
      this.#at,
    )
  }
}

/** A number where it is exact, a bigint up to 64 bits, and beyond that the nearest number. */
function exactInteger(literal: string): number | bigint {
  const number = Number(literal)
  if (Number.isSafeInteger(number)) return number
  const integer = BigInt(literal)
  return integer >= MIN_INT64 && integer <= MAX_INT64 ? integer : number
}
