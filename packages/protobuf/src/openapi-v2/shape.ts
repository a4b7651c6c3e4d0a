// The kinds of messages an OpenAPI document in protobuf is made of. A shape writes the body of a message for a value
// of the JSON document; what has another form than the shape expects is left out.

import { isObject } from '@homeostat/meta'
import type { WireWriter } from '../wire/wire-writer.ts'
import { yamlText } from './yaml-text.ts'

export type Shape = (writer: WireWriter, value: unknown) => void
type Json = Readonly<Record<string, unknown>>

/** How a field is written; nothing is written for zero values, which proto3 cannot tell from absent ones. */
export type FieldType = (writer: WireWriter, field: number, value: unknown) => void

export const text: FieldType = (writer, field, value) => {
  if (typeof value === 'string' && value !== '') writer.string(field, value)
}

export const flag: FieldType = (writer, field, value) => {
  if (value === true) writer.bool(field, true)
}

export const integer: FieldType = (writer, field, value) => {
  if ((typeof value === 'number' || typeof value === 'bigint') && Number(value) !== 0) writer.integer(field, value)
}

export const double: FieldType = (writer, field, value) => {
  const number = typeof value === 'bigint' ? Number(value) : value
  if (typeof number === 'number' && number !== 0) writer.double(field, number)
}

/** Reads a shape only when it is used: shapes refer to each other in circles. */
export function one(shape: () => Shape): FieldType {
  return (writer, field, value) => {
    if (value === undefined || value === null) return
    const before = writer.length
    shape()(writer, value)
    writer.close(field, before)
  }
}

export function many(type: FieldType): FieldType {
  return (writer, field, value) => {
    if (Array.isArray(value)) for (const item of value.toReversed()) type(writer, field, item)
  }
}

/** A list of strings has its empty ones too. */
export const texts: FieldType = (writer, field, value) => {
  if (!Array.isArray(value)) return
  for (const item of value.toReversed()) if (typeof item === 'string') writer.string(field, item)
}

/** Any value at all, as text. */
const anyShape: Shape = (writer, value) => writer.string(2, yamlText(value))

export const any: FieldType = (writer, field, value) => {
  if (value === undefined) return
  const before = writer.length
  anyShape(writer, value)
  writer.close(field, before)
}

/** Fields by their names in JSON, each with its number; `extensions` is the number of the list of `x-...` fields. */
export function message(fields: Readonly<Record<string, readonly [number, FieldType]>>, extensions?: number): Shape {
  const ordered = Object.entries(fields).sort(([, [a]], [, [b]]) => b - a)
  return (writer, value) => {
    if (!isObject(value)) return
    if (extensions !== undefined) pairs(writer, extensions, value, isExtension, any)
    for (const [name, [number, type]] of ordered) type(writer, number, value[name])
  }
}

/** An object whose keys are free, as a list of names with values. */
export function named(field: number, type: FieldType, has: (name: string) => boolean = () => true): Shape {
  return (writer, value) => {
    if (isObject(value)) pairs(writer, field, value, has, type)
  }
}

/** Several shapes that write into one message, the one with the highest numbers first. */
export function together(...shapes: readonly Shape[]): Shape {
  return (writer, value) => {
    for (const shape of shapes) shape(writer, value)
  }
}

/** One of several messages, as the value is: `choose` says which, by the number of its field. */
export function choice(choose: (value: Json) => number, options: Readonly<Record<number, () => Shape>>): Shape {
  return (writer, value) => {
    const number = choose(isObject(value) ? value : {})
    const shape = options[number]
    if (shape) one(shape)(writer, number, value)
  }
}

export function isExtension(name: string): boolean {
  return name.startsWith('x-')
}

function pairs(writer: WireWriter, field: number, value: Json, has: (name: string) => boolean, type: FieldType): void {
  for (const name of Object.keys(value).reverse()) {
    if (!has(name) || value[name] === undefined) continue
    const before = writer.length
    type(writer, 2, value[name])
    writer.string(1, name)
    writer.close(field, before)
  }
}
