// Reads the fields of a configuration one by one and remembers which were read, so that a field that nobody knows is an error that
// names it, with its path.

import { isObject } from '@homeostat/meta'

export class ConfigFields {
  readonly #value: Record<string, unknown>
  readonly #path: string
  readonly #read = new Set<string>()

  /** Throws an Error when the value is no object. `path` is empty for the document itself. */
  constructor(value: unknown, path: string) {
    if (!isObject(value)) throw new Error(path === '' ? 'the file must hold an object' : `${path} must be an object`)
    this.#value = value
    this.#path = path
  }

  get isEmpty(): boolean {
    return Object.keys(this.#value).length === 0
  }

  /** An empty text counts as none, unless it means something. */
  text(name: string, mayBeEmpty = false): string | undefined {
    const value = this.#take(name)
    if (value === undefined) return undefined
    if (typeof value !== 'string') throw this.wrong(name, 'must be a text')
    return value === '' && !mayBeEmpty ? undefined : value
  }

  flag(name: string): boolean {
    const value = this.#take(name) ?? false
    if (typeof value !== 'boolean') throw this.wrong(name, 'must be true or false')
    return value
  }

  texts(name: string): string[] {
    const value = this.#take(name) ?? []
    if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
      throw this.wrong(name, 'must be a list of texts')
    return value
  }

  list(name: string): ConfigFields[] {
    const value = this.#take(name) ?? []
    if (!Array.isArray(value)) throw this.wrong(name, 'must be a list')
    return value.map((one, at) => new ConfigFields(one, `${this.#at(name)}[${at}]`))
  }

  fields(name: string): ConfigFields | undefined {
    const value = this.#take(name)
    return value === undefined ? undefined : new ConfigFields(value, this.#at(name))
  }

  required(name: string): ConfigFields {
    const fields = this.fields(name)
    if (fields === undefined) throw this.wrong(name, 'is required')
    return fields
  }

  /** Throws for a field that was not read. */
  refuseOthers(): void {
    for (const name of Object.keys(this.#value))
      if (!this.#read.has(name)) throw this.wrong(name, 'is not a known field')
  }

  wrong(name: string, what: string, cause?: unknown): Error {
    return new Error(`${this.#at(name)} ${what}`, cause === undefined ? undefined : { cause })
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`
  }

  #take(name: string): unknown {
    this.#read.add(name)
    const value = Object.hasOwn(this.#value, name) ? this.#value[name] : undefined
    return value ?? undefined
  }
}
