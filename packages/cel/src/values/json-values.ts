// JSON as values, without copying: a reader per declared type converts what an expression looks at, when it looks. Nothing here changes
// the JSON.

import type { CelType, ListKind, ObjectField } from '../types/cel-type.ts'
import { bytesFromBase64 } from './base64.ts'
import { parseDuration } from './duration-text.ts'
import { equals } from './equals.ts'
import { itemsOf, ValueList } from './lists.ts'
import { parseTimestamp } from './timestamp-text.ts'
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  Failure,
  type Value,
} from './value.ts'

/** JSON, or a value of CEL already, to a value. */
export type Read = (json: unknown) => Value

/** The readers of the types of one environment: each is made when it is first needed. */
export class JsonReaders {
  readonly #byType = new Map<CelType, Read>()

  of(type: CelType): Read {
    let read = this.#byType.get(type)
    if (read === undefined) {
      read = makeReader(type, this)
      this.#byType.set(type, read)
    }
    return read
  }
}

function makeReader(type: CelType, readers: JsonReaders): Read {
  switch (type.kind) {
    case 'string':
      return expected('string', (json) => (typeof json === 'string' ? json : undefined))
    case 'bool':
      return expected('bool', (json) => (typeof json === 'boolean' ? json : undefined))
    case 'int':
      return expected('int', (json) =>
        Number.isSafeInteger(json) || typeof json === 'bigint' ? (json as number | bigint) : undefined,
      )
    case 'uint':
      return expected('uint', (json) =>
        Number.isSafeInteger(json) || typeof json === 'bigint' ? new CelUint(json as number | bigint) : undefined,
      )
    case 'double':
      return expected('float', (json) =>
        typeof json === 'number' || typeof json === 'bigint' ? new CelDouble(Number(json)) : undefined,
      )
    case 'bytes':
      return expected('bytes', (json) => (typeof json === 'string' ? bytesFromBase64(json) : undefined))
    case 'timestamp':
      return expected('timestamp', (json) => (typeof json === 'string' ? parseTimestamp(json) : undefined))
    case 'duration':
      return expected('duration', (json) => (typeof json === 'string' ? parseDuration(json) : undefined))
    case 'list':
      return listReader(type, readers)
    case 'map':
      return expected('map', (json) =>
        isPlainObject(json) ? new JsonMap(json, readers.of(type.parameters[1] as CelType)) : undefined,
      )
    case 'object':
      return expected('object', (json) => (isPlainObject(json) ? new JsonObject(json, type, readers) : undefined))
    case 'optional': {
      const held = type.parameters[0] as CelType
      return (json) => {
        if (json instanceof CelOptional) return json
        return json === undefined ? CelOptional.none : new CelOptional(readers.of(held)(json))
      }
    }
    default:
      return readDynamic
  }
}

function expected(what: string, convert: (json: unknown) => Value | undefined): Read {
  return (json) => {
    const value = convert(json)
    if (value !== undefined) return value
    if (json === null || json === undefined) return null
    return isValueObject(json) ? json : new Failure(`invalid data, expected ${what}`)
  }
}

function listReader(type: CelType, readers: JsonReaders): Read {
  const items = type.parameters[0] as CelType
  const kind = type.listKind ?? 'atomic'
  return expected('list', (json) => {
    if (!Array.isArray(json)) return undefined
    return kind === 'atomic' ? new JsonList(json, readers.of(items)) : new KeyedList(json, readers.of(items), kind)
  })
}

/** JSON without a declared type: whole numbers are ints. */
export const readDynamic: Read = (json) => {
  switch (typeof json) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return json
    case 'number':
      return Number.isSafeInteger(json) ? json : new CelDouble(json)
    case 'object':
      if (json === null) return null
      if (Array.isArray(json)) return new JsonList(json, readDynamic)
      return isPlainObject(json) ? new JsonMap(json, readDynamic) : (json as Value)
    default:
      return json === undefined ? null : new Failure(`invalid data, got a ${typeof json}`)
  }
}

function isPlainObject(json: unknown): json is Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false
  const prototype = Object.getPrototypeOf(json)
  return prototype === Object.prototype || prototype === null
}

function isValueObject(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !isPlainObject(value) && !Array.isArray(value)
}

class JsonList extends CelList {
  protected readonly items: readonly unknown[]
  protected readonly read: Read

  constructor(items: readonly unknown[], read: Read) {
    super()
    this.items = items
    this.read = read
  }

  get size(): number {
    return this.items.length
  }

  get(index: number): Value {
    return this.read(this.items[index])
  }
}

/** A list of x-kubernetes-list-type set or map: its order does not matter, and a sum has each item once. */
class KeyedList extends JsonList {
  readonly #kind: Exclude<ListKind, 'atomic'>
  readonly #sum: readonly Value[] | undefined

  constructor(items: readonly unknown[], read: Read, kind: Exclude<ListKind, 'atomic'>, sum?: readonly Value[]) {
    super(items, read)
    this.#kind = kind
    this.#sum = sum
  }

  override get size(): number {
    return this.#sum === undefined ? this.items.length : this.#sum.length
  }

  override get(index: number): Value {
    return this.#sum === undefined ? this.read(this.items[index]) : (this.#sum[index] as Value)
  }

  override equals(other: CelList): boolean | Failure {
    const byKey = this.#byKey()
    for (const item of itemsOf(other)) {
      const own = byKey.get(this.#keyOf(item))
      if (own === undefined) return false
      if (this.#kind === 'set') continue
      const equal = equals(own, item)
      if (equal !== true) return equal
    }
    return true
  }

  override plus(other: CelList): CelList {
    const byKey = this.#byKey()
    for (const item of itemsOf(other)) {
      const key = this.#keyOf(item)
      if (this.#kind !== 'set' || !byKey.has(key)) byKey.set(key, item)
    }
    return new KeyedList([], this.read, this.#kind, [...byKey.values()])
  }

  #byKey(): Map<unknown, Value> {
    return new Map(itemsOf(new ValueList(this.#all())).map((item) => [this.#keyOf(item), item]))
  }

  #all(): Value[] {
    return Array.from({ length: this.size }, (_, index) => this.get(index))
  }

  #keyOf(item: Value): unknown {
    if (this.#kind === 'set') return scalarKey(item)
    if (!(item instanceof CelMap)) return item
    return this.#kind.map((name) => String(scalarKey(item.get(name) ?? null))).join('\0')
  }
}

function scalarKey(value: Value): unknown {
  if (value instanceof CelDouble || value instanceof CelUint) return value.value
  if (value instanceof CelTimestamp) return `${value.seconds}.${value.nanoseconds}`
  if (value instanceof CelDuration) return `${value.nanoseconds}ns`
  return value instanceof Uint8Array ? value.join() : value
}

class JsonMap extends CelMap {
  readonly #json: Record<string, unknown>
  readonly #read: Read
  #keys: string[] | undefined

  constructor(json: Record<string, unknown>, read: Read) {
    super()
    this.#json = json
    this.#read = read
  }

  get size(): number {
    return this.keys().length
  }

  get(key: Value): Value | undefined {
    return this.has(key) ? this.#read(this.#json[key as string]) : undefined
  }

  has(key: Value): boolean {
    return typeof key === 'string' && Object.hasOwn(this.#json, key)
  }

  keys(): string[] {
    this.#keys ??= Object.keys(this.#json)
    return this.#keys
  }
}

/** An object with the fields of its type. A null field is an absent one; a field that the type does not have cannot be seen. */
export class JsonObject extends CelMap {
  readonly json: Readonly<Record<string, unknown>>
  readonly #type: CelType
  readonly #readers: JsonReaders

  constructor(json: Readonly<Record<string, unknown>>, type: CelType, readers: JsonReaders) {
    super()
    this.json = json
    this.#type = type
    this.#readers = readers
  }

  get size(): number {
    return Object.keys(this.json).length
  }

  get(name: Value): Value | undefined {
    const field = this.#field(name)
    const json = field === undefined ? undefined : ownField(this.json, field.key)
    return json === undefined || json === null ? undefined : this.#readers.of((field as ObjectField).type)(json)
  }

  has(name: Value): boolean {
    const field = this.#field(name)
    const json = field === undefined ? undefined : ownField(this.json, field.key)
    return json !== undefined && json !== null
  }

  keys(): Value[] {
    return [...(this.#type.fields?.keys() ?? [])].filter((name) => this.has(name))
  }

  #field(name: Value): ObjectField | undefined {
    if (typeof name !== 'string') return undefined
    return this.#type.fields?.get(name) ?? this.#type.fields?.get(`__${name}__`)
  }
}

/** What an object has itself, not by its prototype. */
export function ownField(json: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(json, key) ? json[key] : undefined
}
