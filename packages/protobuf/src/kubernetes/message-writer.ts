// Writes objects as messages, as Go does: structs and scalars that are no pointers are written even when they are
// empty. A value of the wrong type counts as absent. The last field comes first, because the writer goes backwards.

import { isObject, type JsonValue, writeJson } from '@homeostat/meta'
import type { WireWriter } from '../wire/wire-writer.ts'
import { formOf } from './forms.ts'
import type { Field, Message, MessageTables } from './message-tables.ts'

type Value = JsonValue | undefined

export class MessageWriter {
  readonly #writer: WireWriter
  readonly #tables: MessageTables

  constructor(writer: WireWriter, tables: MessageTables) {
    this.#writer = writer
    this.#tables = tables
  }

  write(message: Message, value: Value): void {
    const object = isObject(value) ? value : {}
    for (let at = message.fields.length - 1; at >= 0; at--) {
      const field = message.fields[at]
      if (field) this.#field(field, field.inline ? object : object[field.name])
    }
  }

  #field(field: Field, value: Value): void {
    if (field.shape === 'one') this.#one(field, value)
    else if (field.shape === 'map') this.#map(field, value)
    else if (Array.isArray(value)) for (const item of value.toReversed()) this.#value(field, field.number, item)
  }

  #one(field: Field, value: Value): void {
    const absent = value === undefined || value === null
    if (absent && (field.pointer || NULLABLE.has(field.type))) return
    this.#value(field, field.number, value)
  }

  /** In the order of the keys, which is how Go writes maps. */
  #map(field: Field, value: Value): void {
    if (!isObject(value)) return
    const writer = this.#writer
    for (const key of Object.keys(value).sort().reverse()) {
      const before = writer.length
      this.#value(field, 2, value[key])
      writer.string(1, key)
      writer.close(field.number, before)
    }
  }

  #value(field: Field, number: number, value: Value): void {
    const writer = this.#writer
    switch (field.type) {
      case 'string':
        writer.string(number, typeof value === 'string' ? value : '')
        break
      case 'int32':
      case 'int64':
        writer.integer(number, isNumber(value) ? value : 0)
        break
      case 'bool':
        writer.bool(number, value === true)
        break
      case 'double':
        writer.double(number, isNumber(value) ? Number(value) : 0)
        break
      case 'bytes':
        writer.bytes(number, Buffer.from(typeof value === 'string' ? value : '', 'base64'))
        break
      default: {
        const before = writer.length
        if (field.message) this.write(field.message, value)
        else this.#form(field.type, value)
        writer.close(number, before)
        break
      }
    }
  }

  #form(type: string, value: Value): void {
    const writer = this.#writer
    switch (type) {
      case 'json':
        if (value !== undefined && value !== null) writer.bytes(1, Buffer.from(writeJson(value)))
        return
      case 'schema-or-bool':
        if (isObject(value)) this.#schema(2, value)
        // A schema allows what it describes.
        writer.bool(1, value !== false && value !== undefined && value !== null)
        break
      case 'schema-or-array':
        if (!Array.isArray(value)) this.#schema(1, value)
        else for (const item of value.toReversed()) this.#schema(2, item)
        return
      case 'schema-or-strings':
        if (!Array.isArray(value)) this.#schema(1, value)
        else for (const item of value.toReversed()) writer.string(2, String(item))
        return
      default: {
        const form = formOf(type)
        form.write(writer, value ?? form.zero ?? null)
      }
    }
  }

  #schema(number: number, value: Value): void {
    if (!isObject(value)) return
    const before = this.#writer.length
    this.write(this.#tables.message('apiextensions.v1.JSONSchemaProps'), value)
    this.#writer.close(number, before)
  }
}

/** Not written when there is none, although no pointers. */
const NULLABLE: ReadonlySet<string> = new Set(['bytes', 'strings'])

function isNumber(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}
