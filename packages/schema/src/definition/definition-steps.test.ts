// The check of a definition is counted in reads of its schema, which no busy machine changes.

import * as cel from '@homeostat/cel'
import { expect, it } from 'vitest'
import { compileSteps } from '../compile/compile-node.ts'
import { costOf } from '../counted-steps.fixture.ts'
import type { JsonSchema } from '../json-schema.ts'
import { definitionSteps } from './validate-definition-schema.ts'

const check = (schema: JsonSchema) => definitionSteps(schema, 'x', { cel })
const compile = (schema: JsonSchema) => compileSteps(schema, cel)
const items = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const text = { type: 'string' }
const named = (count: number, make: (i: number) => JsonSchema = () => ({ ...text })) =>
  Object.fromEntries(items(count, (i) => [`p${i}`, make(i)]))
const deep = (depth: number, inner: JsonSchema): JsonSchema =>
  depth === 0 ? inner : { type: 'object', properties: { a: deep(depth - 1, inner) } }
const object = (properties: object, more: object = {}): JsonSchema => ({ type: 'object', properties, ...more })
const spec = (schema: JsonSchema) => object({ spec: schema })

const shapes: Record<string, (count: number) => JsonSchema> = {
  'properties at the root': (count) => object(named(count)),
  'properties of a field': (count) => spec(object(named(count))),
  'properties of an embedded resource': (count) =>
    spec(object(named(count), { 'x-kubernetes-embedded-resource': true })),
  'deep properties': (count) => object(named(count / 50, () => deep(50, text))),
  'list types far below': (count) =>
    object(named(count / 50, () => deep(50, { type: 'array', 'x-kubernetes-list-type': 'set', items: { ...text } }))),
  'branches that name properties': (count) =>
    object(named(count), { anyOf: items(count, (i) => ({ properties: { [`p${i}`]: { minLength: 1 } } })) }),
  'rules of CEL about fields': (count) =>
    spec(
      object(named(count), {
        'x-kubernetes-validations': items(count, (i) => ({ rule: `self.p${i} == 'a'`, fieldPath: `.p${i}` })),
      }),
    ),
  'keys of a map': (count) =>
    spec({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': items(count, (i) => `p${i}`),
      items: object(named(count), { required: items(count, (i) => `p${i}`) }),
    }),
  'keys of a map that are no properties': (count) =>
    spec({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': items(count, (i) => `k${i}`),
      items: object({ a: text }),
    }),
  'an enumeration': (count) => spec({ ...text, enum: items(count, (i) => `v${i}`) }),
  defaults: (count) => object(named(count, () => ({ ...text, default: 'x' }))),
}

it.each(Object.keys(shapes))('twice as many take twice as long: %s', (shape) => {
  const ways: ((schema: JsonSchema) => Generator<undefined, unknown, undefined>)[] = [check, compile]
  for (const steps of ways) {
    const once = costOf(shapes[shape]?.(500) ?? {}, steps)
    const twice = costOf(shapes[shape]?.(1000) ?? {}, steps)
    expect(twice.total / once.total).toBeLessThan(2.2)
  }
})

it.each(['properties at the root', 'deep properties', 'branches that name properties'])(
  'other work gets its turn after a few hundred schemas: %s',
  (shape) => {
    const { total, longest } = costOf(shapes[shape]?.(4000) ?? {}, check)
    // The longest step reads the schema into nodes, which is one of about ten looks at all of it.
    expect(longest).toBeLessThan(total / 4)
  },
)

it.each(['properties at the root', 'deep properties', 'branches that name properties'])(
  'other work gets its turn after a thousand schemas are compiled: %s',
  (shape) => {
    const { total, longest } = costOf(shapes[shape]?.(16_000) ?? {}, compile)
    // The longest step reads the names of all properties of one place.
    expect(longest).toBeLessThan(total / 8)
  },
)

it('a response does not repeat a long list for each of its items', () => {
  const steps = definitionSteps(shapes['keys of a map that are no properties']?.(5000) ?? {}, 'x', { cel })
  let step = steps.next()
  while (!step.done) step = steps.next()
  expect(JSON.stringify(step.value.causes).length).toBeLessThan(3 << 20)
})
