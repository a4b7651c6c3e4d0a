// Keywords that make a schema impossible to read as a structural one.

import type { JsonSchema } from '../json-schema.ts'
import type { SchemaWalk, Steps } from './schema-walk.ts'
import { allSchemas } from './sub-schemas.ts'

const keywords = ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions']

/** The first such keyword; undefined when the schema can be read. */
export function* unsupported(root: JsonSchema, walk: SchemaWalk): Steps<string | undefined> {
  for (const { schema } of allSchemas(root, walk)) {
    if (walk.isDue()) yield
    for (const keyword of keywords) {
      if (isSet(schema[keyword])) return `OpenAPIV3Schema '${keyword.replace('$schema', 'schema')}' is not supported`
    }
    if (Array.isArray(schema.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array"
    if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
      return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
    }
  }
  return undefined
}

/** Present with something in it, as Go's omitted zero values are not. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false
  return typeof value === 'object' ? Object.keys(value).length > 0 : true
}
