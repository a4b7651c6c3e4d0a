// Looks a field up in the places where documents put it: `spec`, `spec.config`, `spec.template`, `spec.executor`. It records
// the fields that were read, so that unknown fields can be reported. Pure; only read-deployment-spec.ts uses it.

import { deepEqual, isObject } from '@homeostat/meta'

export type Fields = Readonly<Record<string, unknown>>

export interface Problem {
  readonly field: string
  readonly message: string
}

export interface Found {
  readonly value: unknown
  /** As in `spec.config.image`. */
  readonly field: string
}

const PLACES = ['config', 'template', 'executor'] as const

export class Places {
  readonly problems: Problem[] = []
  readonly #places: { readonly path: string; readonly fields: Fields }[]
  readonly #read = new Set<string>()

  constructor(spec: Fields) {
    this.#places = [{ path: 'spec', fields: spec }]
    for (const name of PLACES) {
      const fields = spec[name]
      if (isObject(fields)) this.#places.push({ path: `spec.${name}`, fields })
      else if (fields !== undefined) this.problem(`spec.${name}`, 'must be an object')
      this.#read.add(`spec.${name}`)
    }
  }

  problem(field: string, message: string): void {
    this.problems.push({ field, message })
  }

  /** All places that have one of the names. */
  all(names: readonly string[]): Found[] {
    return this.#places.flatMap(({ path, fields }) =>
      names
        .filter((name) => fields[name] !== undefined && fields[name] !== null)
        .map((name) => {
          const field = `${path}.${name}`
          this.#read.add(field)
          return { value: fields[name], field }
        }),
    )
  }

  find(names: readonly string[]): Found | undefined {
    const [first, ...others] = this.all(names)
    const other = others.find(({ value }) => !deepEqual(value, first?.value))
    if (first && other) this.problem(other.field, `says something else than ${first.field}: leave one of them out`)
    return first
  }

  text(names: readonly string[]): string | undefined {
    const found = this.find(names)
    if (found === undefined) return undefined
    if (typeof found.value === 'string' && found.value !== '') return found.value
    this.problem(found.field, 'must be a text that is not empty')
    return undefined
  }

  /** Whether a field has exactly this value; with any other it stays unread. */
  is(name: string, text: string): boolean {
    const place = this.#places.find(({ fields }) => fields[name] === text)
    if (place) this.#read.add(`${place.path}.${name}`)
    return place !== undefined
  }

  texts(name: string): readonly string[] | undefined {
    const found = this.find([name])
    if (found === undefined) return undefined
    if (Array.isArray(found.value) && found.value.every((part) => typeof part === 'string')) return found.value
    this.problem(found.field, 'must be a list of texts')
    return undefined
  }

  fields(name: string): Fields | undefined {
    const found = this.find([name])
    if (found === undefined) return undefined
    if (isObject(found.value)) return found.value
    this.problem(found.field, 'must be an object')
    return undefined
  }

  list(name: string): readonly Fields[] | undefined {
    const found = this.find([name])
    if (found === undefined) return undefined
    if (Array.isArray(found.value) && found.value.every(isObject)) return found.value
    this.problem(found.field, 'must be a list of objects')
    return undefined
  }

  /** The fields that were never read, without the given names. */
  unread(except: readonly string[]): string[] {
    return this.#places.flatMap(({ path, fields }) =>
      Object.keys(fields)
        .filter((name) => !except.includes(name))
        .map((name) => `${path}.${name}`)
        .filter((field) => !this.#read.has(field)),
    )
  }
}
