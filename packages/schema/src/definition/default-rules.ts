// Defaults must be valid by the schema they stand in and have no unknown fields: they are written without being checked.

import { type Cause, deepClone, deepEqual, invalidValue } from '@homeostat/meta'
import { compileNode } from '../compile/compile-node.ts'
import type { SchemaNode } from '../compile/schema-node.ts'
import { type JsonSchema, metaFields } from '../json-schema.ts'
import { prune } from '../request/prune.ts'
import { check } from '../validate/check.ts'
import { checkEmbedded, checkResource } from '../validate/check-embedded.ts'
import { Validation } from '../validate/validation.ts'
import { bounded } from './limits.ts'

/** Puts a default into the object it would become part of. */
type Surround = (value: unknown) => unknown

const resource: Surround = (value) => ({
  apiVersion: 'validation/v1',
  kind: 'Validation',
  ...(typeof value === 'object' ? value : {}),
})

/** In two steps, since reading the schema takes as long as looking through it. */
export function* defaultSteps(schema: JsonSchema, path: string): Generator<undefined, Cause[], undefined> {
  const node = { ...compileNode(schema), embedded: true }
  yield
  return walk(node, path, resource, false, 0)
}

function walk(node: SchemaNode, path: string, surround: Surround, insideMeta: boolean, depth: number): Cause[] {
  const around = node.embedded ? resource : surround
  const causes: Cause[] = []
  if (node.default !== undefined) {
    const at = `${path}.default`
    causes.push(...(insideMeta ? metaDefault(node, at, around) : plainDefault(node, at, depth === 0)))
  }
  if (node.items !== undefined) {
    causes.push(...walk(node.items, `${path}.items`, (value) => around([value]), insideMeta, depth + 1))
  }
  for (const [name, property] of node.properties ?? []) {
    const meta = insideMeta || (node.embedded && metaFields.has(name))
    const wrap: Surround = (value) => around({ [name]: value })
    causes.push(...walk(property, `${path}.properties[${name}]`, wrap, meta, depth + 1))
  }
  return bounded(causes)
}

function plainDefault(node: SchemaNode, at: string, root: boolean): Cause[] {
  const causes: Cause[] = []
  const pruned = deepClone(node.default)
  prune(pruned, node)
  if (!deepEqual(pruned, node.default)) {
    causes.push(invalidValue(at, node.default, 'must not have unknown fields'))
  }
  const embedded = new Validation(at)
  if (!root) checkEmbedded(embedded, node, node.default)
  return causes.concat(embedded.causes.length > 0 ? embedded.causes : schemaErrors(node, at))
}

function metaDefault(node: SchemaNode, at: string, surround: Surround): Cause[] {
  const run = new Validation()
  checkResource(run, surround(deepClone(node.default)) as Record<string, unknown>)
  if (run.causes.length === 0) return schemaErrors(node, at)
  const errors = run.causes.map((cause) => `${cause.field}: ${cause.message}`).join(', ')
  return [invalidValue(at, node.default, `must result in valid metadata: ${errors}`)]
}

function schemaErrors(node: SchemaNode, at: string): Cause[] {
  const run = new Validation(at)
  check(run, node, node.default, undefined)
  return run.causes
}
