// The schema of a kind as the OpenAPI v3 document shows it to kubectl and to client generators.
// The caller adds the group-version-kind and selectable fields.

import { deepClone, deepEqual } from '@homeostat/meta'
import { additionalOf, type JsonSchema, namedSchemasOf, schemaOf, schemasOf } from '../json-schema.ts'

const objectMeta = '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

const copied =
  `description title type format default nullable maximum exclusiveMaximum minimum exclusiveMinimum maxLength
  minLength pattern maxItems minItems uniqueItems multipleOf maxProperties minProperties required enum externalDocs example
  x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource x-kubernetes-int-or-string
  x-kubernetes-list-map-keys x-kubernetes-list-type x-kubernetes-map-type x-kubernetes-validations`.split(/\s+/)

export function toOpenApiV3(schema: JsonSchema): JsonSchema {
  const published = publish(schema)
  published.properties = { ...resourceProperties(), ...schemaOf(published.properties), ...resourceProperties() }
  return published
}

function publish(schema: JsonSchema): JsonSchema {
  const out: JsonSchema = {}
  for (const keyword of copied) {
    const value = schema[keyword]
    if (value !== undefined && value !== null && value !== false) out[keyword] = deepClone(value)
  }
  const items = schemaOf(schema.items)
  if (items !== undefined) out.items = publish(items)
  const properties = namedSchemasOf(schema.properties)
  if (properties.length > 0) out.properties = named(properties)
  const additional = additionalOf(schema.additionalProperties)
  if (additional !== undefined) {
    out.additionalProperties = typeof additional === 'object' ? publish(additional) : additional
  }
  const not = schemaOf(schema.not)
  if (not !== undefined) out.not = publish(not)
  for (const junctor of ['allOf', 'anyOf', 'oneOf']) {
    const branches = schemasOf(schema[junctor])
    if (branches.length > 0) out[junctor] = branches.map(publish)
  }
  if (schema['x-kubernetes-int-or-string'] === true) unfold(out)
  if (schema['x-kubernetes-embedded-resource'] === true) {
    out.properties = { ...schemaOf(out.properties), ...resourceProperties() }
  }
  return out
}

function named(properties: [string, JsonSchema][]): JsonSchema {
  return Object.fromEntries(properties.map(([name, property]) => [name, publish(property)]))
}

/** Clients that do not know int-or-string see the two types spelled out. */
function unfold(out: JsonSchema): void {
  const anyOf = [{ type: 'integer' }, { type: 'string' }]
  const isPattern = (schema: JsonSchema | undefined) => deepEqual(schema?.anyOf, anyOf)
  const allOf = schemasOf(out.allOf)
  if (isPattern(out) || isPattern(allOf[0])) return
  if (out.anyOf === undefined) out.anyOf = anyOf
  else out.allOf = [{ anyOf }, ...allOf]
}

function resourceProperties(): JsonSchema {
  return {
    apiVersion: { type: 'string', description: 'APIVersion defines in which group and version the object is written.' },
    kind: { type: 'string', description: 'The kind of resource this object is.' },
    metadata: { allOf: [{ $ref: objectMeta }], description: "Standard object's metadata: name, labels and the like." },
  }
}
