// Value types of options: each parses the text of a flag or an environment variable, has a placeholder for --help, and
// says in its error which text it accepts.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
// Imports no more of meta, so that the store's thread starts before the whole object model is loaded.
import { parseDuration } from '@homeostat/meta/duration'

export interface ValueType<T> {
  /** Shown after the flag, e.g. PORT. */
  readonly placeholder: string
  /** May be given more than once. */
  readonly repeatable: boolean
  /** A flag without a value. */
  readonly bare?: true
  /** Throws an Error that says which text is accepted. Gets one text unless repeatable. */
  parse(texts: readonly string[]): T
  /** The value with its paths resolved from this folder: that of the file in which the value is written. */
  within?(value: T, folder: string): T
}

export function text(placeholder: string): ValueType<string> {
  return one(placeholder, (value) => {
    if (value === '') throw new Error('must not be empty')
    return value
  })
}

/** A path. */
export function path(placeholder: string): ValueType<string> {
  return { ...text(placeholder), within: (value, folder) => resolve(folder, value) }
}

export function integer(placeholder: string, min: number, max: number): ValueType<number> {
  return one(placeholder, (value) => {
    const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max)) throw new Error(`must be a whole number from ${min} to ${max}`)
    return number
  })
}

export function choice<const C extends string>(...choices: readonly C[]): ValueType<C> {
  return one(choices.join('|'), (value) => {
    const found = choices.find((candidate) => candidate === value)
    if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
    return found
  })
}

/** Milliseconds, written like 90s, 5m or 1h30m. */
export function duration(min: number): ValueType<number> {
  return one('DURATION', (value) => {
    const ms = parseDuration(value)
    if (ms === undefined || ms < min)
      throw new Error(`must be a duration such as 90s, 5m or 1h30m, at least ${min / 1000}s`)
    return ms
  })
}

/** Whole seconds, written like 90 or 5m. */
export function seconds(): ValueType<number> {
  return one('SECONDS', (value) => {
    const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : parseDuration(value)
    if (ms === undefined || ms < 0) throw new Error('must be seconds or a duration, such as 90 or 5m')
    return Math.ceil(ms / 1000)
  })
}

/** Bytes, written like 512KiB or 3MiB; a bare number counts bytes. */
export function size(min: number, max: number): ValueType<number> {
  const units: Record<string, number> = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }
  return one('SIZE', (value) => {
    const [, digits = '', unit = ''] = /^(\d{1,12})(KiB|MiB|GiB)?$/.exec(value) ?? []
    const bytes = digits === '' ? Number.NaN : Number(digits) * (units[unit] ?? 1)
    if (!(bytes >= min && bytes <= max))
      throw new Error(`must be a size such as 512KiB or 3MiB, from ${min} to ${max} bytes`)
    return bytes
  })
}

/** Undefined when neither the flag nor its variable is given. */
export function optional<T>(type: ValueType<T>): ValueType<T | undefined> {
  return { ...type, parse: (texts) => (texts.length === 0 ? undefined : type.parse(texts)) }
}

export function list(placeholder: string): ValueType<readonly string[]> {
  return {
    placeholder,
    repeatable: true,
    parse: (texts) => texts.flatMap((part) => part.split(',')).filter((part) => part !== ''),
  }
}

/** Modules: paths, or names of packages. */
export function modules(placeholder: string): ValueType<readonly string[]> {
  const located = (value: string, folder: string) => {
    const file = resolve(folder, value)
    return existsSync(file) ? file : value
  }
  return { ...list(placeholder), within: (values, folder) => values.map((value) => located(value, folder)) }
}

/** Origins of web pages, written like http://localhost:5173. */
export function origins(): ValueType<readonly string[]> {
  const all = list('ORIGIN')
  return {
    ...all,
    parse: (texts) => {
      const values = all.parse(texts)
      for (const value of values)
        if (!/^https?:/.test(value) || !URL.canParse(value) || new URL(value).origin !== value)
          throw new Error('must be an origin such as http://localhost:5173')
      return values
    },
  }
}

/** Like a list, but a comma is part of the text. */
export function repeated(placeholder: string): ValueType<readonly string[]> {
  return { placeholder, repeatable: true, parse: (texts) => texts }
}

/** True when the flag is given, unless it is said to be false. */
export const flag: ValueType<boolean> = {
  placeholder: '',
  repeatable: false,
  bare: true,
  parse: (texts) => texts.at(-1) === 'true',
}

function one<T>(placeholder: string, parse: (value: string) => T): ValueType<T> {
  return { placeholder, repeatable: false, parse: (texts) => parse(texts.at(-1) ?? '') }
}
