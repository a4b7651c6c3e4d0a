// Defaulting and validation accept anything that decodes: no body makes a rule throw.

import type { KubeObject } from '@homeostat/meta'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { builtinTypes } from '../builtin-types.ts'
import { readResourceRows } from '../facts/facts-files.ts'
import { objectSchema } from '../facts/object-schema.ts'
import { KIND_RULES } from './kind-rules.ts'

type Schema = Record<string, unknown>

const WORDS = ['', 'a', 'x.y/z', '10.0.0.0/8', '1Gi', '-1', '..', '*', 'Always', 'In', 'None', 'é'.repeat(3)]

/** Random values of the schema's types, with limited depth to bound the run time. */
function valuesOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema['x-kubernetes-int-or-string'] === true) return fc.oneof(fc.integer(), fc.constantFrom(...WORDS))
  if (schema.format === 'quantity') return fc.constantFrom('0', '1', '-5', '100m', '1Gi', '1e3')
  switch (schema.type) {
    case 'string':
      return schema.format === undefined ? fc.constantFrom(...WORDS) : fc.constant('')
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.constantFrom(-1, 0, 1, 80, 70000, 2 ** 31 - 1)
    case 'array':
      return depth > 7
        ? fc.constant([])
        : fc.array(valuesOf((schema.items ?? {}) as Schema, depth + 1), { maxLength: 2 })
    default:
      return structOf(schema, depth)
  }
}

function structOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.additionalProperties) {
    return fc.dictionary(
      fc.constantFrom('a', 'cpu', 'x.y/z', 'B d'),
      valuesOf(schema.additionalProperties as Schema, depth + 1),
      {
        maxKeys: 2,
      },
    )
  }
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  if (depth > 7 || fields.length === 0) return fc.constant({})
  return fc
    .subarray(fields, { maxLength: Math.min(fields.length, depth < 2 ? fields.length : 5) })
    .chain((some) => fc.record(Object.fromEntries(some.map(([name, field]) => [name, valuesOf(field, depth + 1)]))))
}

const rows = readResourceRows().filter(({ group, resource }) => KIND_RULES[`${group || 'core'}/${resource}`])
const types = builtinTypes()

it.each(rows.map((row) => [row.kind, row.version, row] as const))('%s %s', async (kind, version, row) => {
  const type = types.find((one) => one.kind === kind && one.version === version && one.group === (row.group ?? ''))
  if (!type) throw new Error(`no type ${kind}`)
  const { strategy } = type
  const complete = (body: unknown): KubeObject => {
    const apiVersion = type.group === '' ? version : `${type.group}/${version}`
    const object = {
      ...(body as object),
      apiVersion,
      kind,
      metadata: { name: 'n', namespace: 'd', uid: 'u' },
    } as KubeObject
    strategy.prune(object)
    strategy.prepareForCreate(object)
    strategy.applyDefaults(object)
    return object
  }
  const bodies = structOf(objectSchema(row.schema) as Schema, 0)
  await fc.assert(
    fc.asyncProperty(bodies, bodies, async (one, other) => {
      const old = complete(one)
      const next = complete(other)
      await strategy.beforeValidation?.(old, undefined, false)
      strategy.validate(old)
      strategy.prepareForUpdate(next, old)
      strategy.applyDefaults(next)
      await strategy.beforeValidation?.(next, old, false)
      strategy.validateUpdate(next, old)
      strategy.warnings(next, old)
      const again = structuredClone(next)
      strategy.applyDefaults(again)
      expect(again).toEqual(next)
    }),
    { numRuns: 25 },
  )
})
