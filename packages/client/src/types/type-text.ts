// Writes a schema as a TypeScript type. Objects with fields become interfaces, so that programs can name them.

import { writeJson } from '@homeostat/meta'
import { type Declaration, memberText, propertyName } from './declaration.ts'
import { referenceOf, type Schema } from './openapi.ts'
import { innerName } from './type-names.ts'

const LONG_UNION = 80

export interface TypeWriter {
  /** The name of a component's type. */
  reference(component: string): string
  /** Reserves a name for a nested object; returns a different one when the wish is taken. */
  claim(wish: string): string
  declare(declaration: Declaration): void
}

/** Passes the declarations of a component and of its nested objects to the writer. */
export function declareComponent(name: string, schema: Schema, writer: TypeWriter, fixed: FixedFields = {}): void {
  if (hasFields(schema)) declareInterface(name, schema, writer, fixed)
  else writer.declare({ name, about: aboutOf(schema), alias: unionOf(schema, name, '', writer) })
}

/** Fields with a more precise type than the schema's; they are required. */
export type FixedFields = Readonly<Record<string, string>>

function declareInterface(name: string, schema: Schema, writer: TypeWriter, fixed: FixedFields): void {
  const { properties = {}, required = [] } = schema
  const members: string[][] = []
  const declaration: Declaration = { name, about: aboutOf(schema), members }
  // Declared before its nested objects, so that a file reads from the whole to the parts.
  writer.declare(declaration)
  const schemas = {
    ...Object.fromEntries(Object.keys(fixed).map((field) => [field, properties[field] ?? {}])),
    ...properties,
  }
  for (const [field, inner] of Object.entries(schemas)) {
    const known = fixed[field]
    members.push(
      memberText({
        name: propertyName(field),
        optional: known === undefined && !required.includes(field),
        about: known === undefined ? aboutOf(inner) : [],
        type: known === undefined ? unionOf(inner, name, field, writer) : [known],
      }),
    )
  }
  if (isOpen(schema)) members.push(['[field: string]: unknown'])
}

/** The alternatives of a type. */
function unionOf(schema: Schema, outer: string, field: string, writer: TypeWriter, inList = false): string[] {
  const union = alternatives(schema, outer, field, writer, inList)
  return schema.nullable ? [...union, 'null'] : union
}

function alternatives(schema: Schema, outer: string, field: string, writer: TypeWriter, inList: boolean): string[] {
  const component = referenceOf(schema)
  if (component !== undefined) return [writer.reference(component)]
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return ['number', 'string']
  if (schema.enum !== undefined && schema.enum.length > 0) return [...new Set(schema.enum.map(literal))]
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return [schema.type]
    case 'integer':
    case 'number':
      return ['number']
    case 'array':
      return [`${bracketed(innerUnion(schema.items ?? {}, outer, field, writer))}[]`]
    case 'object':
      return [objectType(schema, outer, field, writer, inList)]
  }
  if (hasFields(schema)) return [objectType(schema, outer, field, writer, inList)]
  const choices = (schema.oneOf ?? schema.anyOf ?? []).filter((choice) => choice.type ?? choice.$ref)
  const each = choices.flatMap((choice) => alternatives(choice, outer, field, writer, inList))
  return each.length > 0 ? [...new Set(each)] : ['unknown']
}

function objectType(schema: Schema, outer: string, field: string, writer: TypeWriter, inList: boolean): string {
  if (hasFields(schema)) {
    const name = writer.claim(innerName(outer, field, inList))
    declareInterface(name, schema, writer, {})
    return name
  }
  const { additionalProperties } = schema
  if (typeof additionalProperties !== 'object') return 'Record<string, unknown>'
  return `Record<string, ${innerUnion(additionalProperties, outer, field, writer).join(' | ')}>`
}

/** A long union inside a list or map gets a name, since it would fill lines. */
function innerUnion(schema: Schema, outer: string, field: string, writer: TypeWriter): string[] {
  const union = unionOf(schema, outer, field, writer, true)
  if (union.join(' | ').length <= LONG_UNION) return union
  const name = writer.claim(innerName(outer, field, true))
  writer.declare({ name, about: aboutOf(schema), alias: union })
  return [name]
}

function hasFields({ properties }: Schema): boolean {
  return properties !== undefined && Object.keys(properties).length > 0
}

/** Whether the object may have fields that the schema does not name. */
function isOpen(schema: Schema): boolean {
  const more = schema.additionalProperties
  return Boolean(schema['x-kubernetes-preserve-unknown-fields'] || (more !== undefined && more !== false))
}

function bracketed(union: readonly string[]): string {
  return union.length === 1 ? union.join('') : `(${union.join(' | ')})`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : writeJson(value)
}

/** Uses the quotes that need fewer escapes, as formatters do. */
function quoted(text: string): string {
  const json = JSON.stringify(text)
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`
}

/** The description, and the default unless it is a zero value or an object. */
function aboutOf({ description, default: value }: Schema): string[] {
  const says = !(value === undefined || value === null || typeof value === 'object' || value === '' || value === 0)
  return [
    ...(description?.trim() ? [description.trim()] : []),
    ...(says && value !== false ? [`@default ${writeJson(value)}`] : []),
  ]
}
