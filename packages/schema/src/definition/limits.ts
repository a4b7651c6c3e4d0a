// Bounds on a schema, checked before anything walks it by recursion. Far above the largest published definitions.

import { type Cause, invalidValue, tooMany } from '@homeostat/meta/server'
import type { JsonSchema } from '../json-schema.ts'
import type { SchemaWalk, Steps } from './schema-walk.ts'
import { type SubSchema, subSchemas } from './sub-schemas.ts'

export const MAX_SCHEMAS = 50_000
export const MAX_SCHEMA_DEPTH = 100

const MAX_CAUSES = 200

/** Errors per definition. Every level concatenates the causes of those below, so each level applies the bound. */
export function bounded(causes: Cause[]): Cause[] {
  return causes.length > MAX_CAUSES ? causes.slice(0, MAX_CAUSES) : causes
}

export function* checkLimits(schema: JsonSchema, path: string, walk: SchemaWalk): Steps<Cause | undefined> {
  let count = 0
  let level: SubSchema[] = [{ schema, path, nested: false }]
  for (let depth = 1; level.length > 0; depth++) {
    count += level.length
    if (count > MAX_SCHEMAS) return tooMany(path, count, MAX_SCHEMAS)
    const deepest = level[0]?.path ?? path
    if (depth > MAX_SCHEMA_DEPTH) {
      return invalidValue(deepest, '', `must not be nested deeper than ${MAX_SCHEMA_DEPTH} schemas`)
    }
    const below: SubSchema[] = []
    for (const one of level) {
      if (walk.isDue()) yield
      for (const sub of subSchemas(one, walk)) below.push(sub)
    }
    level = below
  }
  return undefined
}
