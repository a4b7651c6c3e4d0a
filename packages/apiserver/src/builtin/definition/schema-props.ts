// The schema of schemas, for decoding: the fields of JSONSchemaProps. It contains itself, as an object cycle.

import type { JsonSchema } from '@homeostat/schema'
import { anything, double, flag, int64, listByKey, listOf, mapOf, requiredText, struct, text } from '../field.ts'

export function schemaPropsSchema(): JsonSchema {
  const schema: JsonSchema = { type: 'object' }
  // A field that takes a schema or another value has no type; if it is a schema, it is pruned as one.
  const orBool: JsonSchema = {}
  const orList: JsonSchema = { items: schema }
  const orTexts: JsonSchema = { items: text }
  const properties = keywords({ schema, orBool, orList, orTexts })
  for (const place of [schema, orBool, orList, orTexts]) place.properties = properties
  return schema
}

function keywords(places: Record<'schema' | 'orBool' | 'orList' | 'orTexts', JsonSchema>): Record<string, JsonSchema> {
  const { schema, orBool, orList, orTexts } = places
  const rule = {
    fieldPath: text,
    message: text,
    messageExpression: text,
    optionalOldSelf: flag,
    reason: text,
    rule: requiredText,
  }
  return {
    $ref: text,
    $schema: text,
    additionalItems: orBool,
    additionalProperties: orBool,
    allOf: listOf(schema),
    anyOf: listOf(schema),
    default: anything,
    definitions: mapOf(schema),
    dependencies: mapOf(orTexts),
    description: text,
    enum: listOf({ ...anything, nullable: true }),
    example: anything,
    exclusiveMaximum: flag,
    exclusiveMinimum: flag,
    externalDocs: struct({ description: text, url: text }),
    format: text,
    id: text,
    items: orList,
    maxItems: int64,
    maxLength: int64,
    maxProperties: int64,
    maximum: double,
    minItems: int64,
    minLength: int64,
    minProperties: int64,
    minimum: double,
    multipleOf: double,
    not: schema,
    nullable: flag,
    oneOf: listOf(schema),
    pattern: text,
    patternProperties: mapOf(schema),
    properties: mapOf(schema),
    required: listOf(requiredText),
    title: text,
    type: text,
    uniqueItems: flag,
    'x-kubernetes-embedded-resource': flag,
    'x-kubernetes-int-or-string': flag,
    'x-kubernetes-list-map-keys': listOf(requiredText),
    'x-kubernetes-list-type': text,
    'x-kubernetes-map-type': text,
    'x-kubernetes-preserve-unknown-fields': flag,
    'x-kubernetes-validations': listByKey(struct(rule, ['rule']), 'rule'),
  }
}
