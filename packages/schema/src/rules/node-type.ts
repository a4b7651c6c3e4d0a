// The types of CEL of a schema's parts, taken from the type of the whole: a part is converted once however many rules stand
// above and below it.

import { type CelType, escapeFieldName, schemaType } from '@homeostat/cel/without-compiler'
import type { JsonSchema } from '../json-schema.ts'

/** Of a resource: apiVersion, kind and the names in metadata are there though the schema does not describe them. */
export function resourceType(schema: JsonSchema): CelType | undefined {
  return schemaType(schema, { resource: true })
}

/** Undefined where expressions cannot reach. */
export function propertyType(parent: CelType | undefined, name: string, schema: JsonSchema): CelType | undefined {
  const escaped = escapeFieldName(name)
  if (escaped !== undefined) return parent?.fields?.get(escaped)?.type
  // No expression can name the field, but rules may stand at it.
  return schemaType(schema, { resource: schema['x-kubernetes-embedded-resource'] === true })
}

export function itemType(parent: CelType | undefined): CelType | undefined {
  return parent?.kind === 'list' ? parent.parameters[0] : undefined
}

export function entryType(parent: CelType | undefined): CelType | undefined {
  return parent?.kind === 'map' ? parent.parameters[1] : undefined
}
