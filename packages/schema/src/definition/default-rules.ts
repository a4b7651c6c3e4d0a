// Defaults must be valid under their own schema and have no unknown fields, because the server does not check them again.

import { deepClone, deepEqual } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import { compileSteps } from '../compile/compile-node.ts'
import type { SchemaNode } from '../compile/schema-node.ts'
import { type JsonSchema, metaFields } from '../json-schema.ts'
import { prune } from '../request/prune.ts'
import { check } from '../validate/check.ts'
import { checkEmbedded, checkResource } from '../validate/check-embedded.ts'
import { Validation } from '../validate/validation.ts'
import { bounded } from './limits.ts'
import type { SchemaWalk, Steps } from './schema-walk.ts'

/** Puts a default into the object it would become part of. */
type Surround = (value: unknown) => unknown

const resource: Surround = (value) => ({
  apiVersion: 'validation/v1',
  kind: 'Validation',
  ...(typeof value === 'object' ? value : {}),
})

export function* defaultSteps(schema: JsonSchema, path: string, walk: SchemaWalk): Steps<Cause[]> {
  const node = { ...(yield* compileSteps(schema)), embedded: true }
  yield
  return yield* defaultsBelow({ node, path, surround: resource, insideMeta: false, depth: 0 }, walk)
}

interface DefaultPlace {
  readonly node: SchemaNode
  readonly path: string
  readonly surround: Surround
  readonly insideMeta: boolean
  readonly depth: number
}

function* defaultsBelow({ node, path, surround, insideMeta, depth }: DefaultPlace, walk: SchemaWalk): Steps<Cause[]> {
  const around = node.embedded ? resource : surround
  const causes: Cause[] = []
  if (node.default !== undefined) {
    const at = `${path}.default`
    causes.push(...(insideMeta ? metaDefault(node, at, around) : plainDefault(node, at, depth === 0)))
    // One default may take all the steps that an object may take.
    yield
  } else if (walk.isDue()) yield
  if (node.items !== undefined) {
    const items = { node: node.items, path: `${path}.items`, surround: (value: unknown) => around([value]) }
    causes.push(...(yield* defaultsBelow({ ...items, insideMeta, depth: depth + 1 }, walk)))
  }
  for (const [name, property] of node.properties ?? []) {
    const field = {
      node: property,
      path: `${path}.properties[${name}]`,
      surround: (value: unknown) => around({ [name]: value }),
      insideMeta: insideMeta || (node.embedded && metaFields.has(name)),
      depth: depth + 1,
    }
    causes.push(...(yield* defaultsBelow(field, walk)))
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
