// Objects. Unknown fields are dropped by the server unless the schema keeps them, so strict and plain ones are the same.

import type { JsonSchema } from '../json-schema.ts'
import { fieldPlace, type Translate } from './walk.ts'
import { defOf, isOptional, isZod, schemaAt, shapeOf, typeOf, type ZodSchema } from './zod-schema.ts'

export const translateObject: Translate = (walk, schema, place) => {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const [name, field] of shapeOf(schema)) {
    if (isAbsent(field)) continue
    properties[name] = walk.node(field, fieldPlace(place, name))
    if (!isOptional(field)) required.push(name)
  }
  const node: JsonSchema = { type: 'object' }
  if (Object.keys(properties).length > 0) node.properties = properties
  if (required.length > 0) node.required = required
  const { catchall } = defOf(schema)
  if (!isZod(catchall) || typeOf(catchall) === 'never') return node
  if (!['unknown', 'any'].includes(typeOf(catchall))) {
    walk.warn(place, 'fields of .catchall() are kept by the server and checked by the operator only')
  }
  return { ...node, 'x-kubernetes-preserve-unknown-fields': true }
}

/** A field that must not be there is one that the schema does not have. */
function isAbsent(field: ZodSchema): boolean {
  const type = typeOf(field)
  if (type === 'optional') return isAbsent(schemaAt(field, 'innerType'))
  return type === 'never' || type === 'undefined' || type === 'void'
}
