// Reads messages into what their objects are in JSON, as Go's JSON would show them: zero values are left out unless
// they mean something, structs are there even when empty. A field that occurs twice is merged, as protobuf requires.

import { isObject, type JsonValue } from '@homeostat/meta'
import { ProtobufError } from '../wire/protobuf-error.ts'
import type { WireReader } from '../wire/wire-reader.ts'
import { FORMS, formOf, parseRaw } from './forms.ts'
import { type Field, type Message, type MessageTables, ZEROS } from './message-tables.ts'

export type JsonObject = { [key: string]: JsonValue }

/** Deeper than any schema that is accepted, and far from what the stack holds. */
const MAX_DEPTH = 500
/** Two bytes can become an object of many empty structs, so the decoded size is limited, not only the bytes. */
const MAX_VALUES = 50_000

export class MessageReader {
  readonly #reader: WireReader
  readonly #tables: MessageTables
  /** What bytes are that hold an object again: JSON, or this very encoding. */
  readonly #readRaw: (raw: Buffer, offset: number) => JsonValue
  #depth = 0
  #values = 0

  constructor(reader: WireReader, tables: MessageTables, readRaw = parseRaw) {
    this.#reader = reader
    this.#tables = tables
    this.#readRaw = readRaw
  }

  /** The message the reader is in, up to its end. */
  read(message: Message, into: JsonObject = {}): JsonObject {
    this.#readFields(message, into)
    this.#fill(message, into)
    return into
  }

  #readFields(message: Message, into: JsonObject): void {
    const reader = this.#reader
    for (let number = reader.field(); number !== 0; number = reader.field()) {
      const field = message.byNumber.get(number)
      if (!field) reader.skip()
      else if (field.inline && field.message) this.#nested(field.message, into)
      else if (field.shape === 'one') this.#readOne(field, into)
      else if (field.shape === 'many') this.#readMany(field, into)
      else this.#readEntry(field, into)
    }
  }

  #readOne(field: Field, into: JsonObject): void {
    const { name, pointer, always } = field
    const value = this.#value(field, into[name])
    if (value === undefined || (!pointer && !always && isZero(value, field))) delete into[name]
    else into[name] = value
  }

  #readMany(field: Field, into: JsonObject): void {
    const list = into[field.name]
    const items: JsonValue[] = Array.isArray(list) ? list : []
    if (items !== list) into[field.name] = items
    const integer = field.type === 'int32' || field.type === 'int64'
    if (integer && this.#reader.delimited) this.#readPacked(field, items)
    else items.push(this.#value(field, undefined) ?? null)
  }

  #readPacked({ type }: Field, items: JsonValue[]): void {
    const reader = this.#reader
    const outer = reader.enter()
    while (!reader.ended) {
      this.#count()
      items.push(type === 'int32' ? reader.packedInt32() : reader.packedInteger())
    }
    reader.leave(outer)
  }

  #readEntry(field: Field, into: JsonObject): void {
    const reader = this.#reader
    const start = reader.offset
    const outer = reader.enter()
    let key = ''
    let value: JsonValue | undefined
    for (let number = reader.field(); number !== 0; number = reader.field()) {
      if (number === 1) key = reader.string()
      else if (number === 2) value = this.#value(field, undefined)
      else reader.skip()
    }
    reader.leave(outer)
    if (key === '__proto__') throw new ProtobufError('the key "__proto__" is not allowed', start)
    const known = into[field.name]
    const map: JsonObject = isObject(known) ? known : {}
    if (map !== known) into[field.name] = map
    map[key] = value ?? this.#zero(field) ?? null
  }

  #value(field: Field, known: JsonValue | undefined): JsonValue | undefined {
    this.#count()
    const reader = this.#reader
    switch (field.type) {
      case 'string':
        return reader.string()
      case 'int32':
        return reader.int32()
      case 'int64':
        return reader.integer()
      case 'bool':
        return reader.bool()
      case 'double':
        return finite(reader.double(), reader.offset)
      case 'bytes':
        return reader.bytes().toString('base64')
      default:
        return field.message ? this.#nested(field.message, isObject(known) ? known : {}) : this.#form(field.type)
    }
  }

  #nested(message: Message, into: JsonObject): JsonObject {
    const outer = this.#enter()
    this.#readFields(message, into)
    this.#fill(message, into)
    this.#leave(outer)
    return into
  }

  #form(type: string): JsonValue | undefined {
    const outer = this.#enter()
    const value = type === 'json' ? this.#json() : type in EITHER ? this.#either(type) : formOf(type).read(this.#reader)
    this.#leave(outer)
    return value
  }

  #json(): JsonValue {
    const reader = this.#reader
    let value: JsonValue = null
    for (let number = reader.field(); number !== 0; number = reader.field()) {
      if (number !== 1) reader.skip()
      else {
        const raw = reader.bytes()
        value = raw.length === 0 ? null : this.#readRaw(raw, reader.offset - raw.length)
      }
    }
    return value
  }

  /** A schema, or what the other field has. */
  #either(type: string): JsonValue {
    const reader = this.#reader
    const props = this.#tables.message(SCHEMA)
    const schemaField = EITHER[type]
    const items: JsonValue[] = []
    let allowed: JsonValue = type === 'schema-or-bool' ? false : null
    let schema: JsonObject | undefined
    for (let number = reader.field(); number !== 0; number = reader.field()) {
      this.#count()
      if (number === schemaField) schema = this.#nested(props, schema ?? {})
      else if (number > 2) reader.skip()
      else if (type === 'schema-or-bool') allowed = reader.bool()
      else items.push(type === 'schema-or-array' ? this.#nested(props, {}) : reader.string())
    }
    return items.length > 0 ? items : (schema ?? allowed)
  }

  #enter(): number {
    if (++this.#depth > MAX_DEPTH)
      throw new ProtobufError(`nested deeper than ${MAX_DEPTH} levels`, this.#reader.offset)
    return this.#reader.enter()
  }

  #leave(outer: number): void {
    this.#reader.leave(outer)
    this.#depth--
  }

  #fill(message: Message, into: JsonObject): void {
    for (const field of message.filled) {
      if (field.inline && field.message) this.#fill(field.message, into)
      else if (into[field.name] === undefined) {
        const zero = this.#zero(field)
        if (zero !== undefined) into[field.name] = zero
      }
    }
  }

  #zero({ message, type }: Field): JsonValue | undefined {
    this.#count()
    if (!message) return type === 'bytes' ? '' : (ZEROS[type] ?? FORMS[type]?.zero)
    const object: JsonObject = {}
    this.#fill(message, object)
    return object
  }

  #count(): void {
    if (++this.#values > MAX_VALUES)
      throw new ProtobufError(`the message holds more than ${MAX_VALUES} values`, this.#reader.offset)
  }
}

/** Messages that are a schema or something else, each with the number of the field that has the schema. */
const EITHER: Readonly<Record<string, number>> = { 'schema-or-bool': 2, 'schema-or-array': 1, 'schema-or-strings': 1 }
const SCHEMA = 'apiextensions.v1.JSONSchemaProps'

/** Zero values of scalars, and what stands for nothing. A struct is never zero. */
function isZero(value: JsonValue, { type, omitZero }: Field): boolean {
  return (
    value === ZEROS[type] || (type === 'bytes' && value === '') || ((omitZero || type === 'json') && value === null)
  )
}

function finite(value: number, offset: number): number {
  if (Number.isFinite(value)) return value
  throw new ProtobufError('a number is not finite', offset)
}
