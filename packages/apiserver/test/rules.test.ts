// Rules in definitions (x-kubernetes-validations), through HTTP: which definitions are taken, what writes are refused.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFINITIONS, serve, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await serve()
})
afterAll(() => server.close())

let count = 0

function definition(spec: object, more: object = {}) {
  const plural = `kinds${++count}`
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec, status: { type: 'object', properties: { phase: { type: 'string', maxLength: 9 } } } },
    ...more,
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.ex.io` },
    spec: {
      group: 'ex.io',
      scope: 'Cluster',
      names: { plural, kind: `Kind${count}` },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } },
      ],
    },
  }
}

const object = (properties: object, rules: object[], more: object = {}) => ({
  type: 'object',
  properties,
  'x-kubernetes-validations': rules,
  ...more,
})
const integer = { type: 'integer' }

/** Defines a kind; the answers are functions for its objects. */
async function kind(spec: object, more: object = {}) {
  const given = definition(spec, more)
  await server.define(given)
  const { plural, kind: name } = given.spec.names
  const at = `/apis/ex.io/v1/${plural}`
  const body = (spec: unknown, metadata: object = { name: 'a' }) => ({
    apiVersion: 'ex.io/v1',
    kind: name,
    metadata,
    spec,
  })
  return {
    at,
    create: (spec: unknown, metadata?: object) => server.post(at, body(spec, metadata)),
    patch: (spec: unknown) => server.patch(`${at}/a`, { spec }),
    apply: (spec: unknown) =>
      server.patch(`${at}/a?fieldManager=me&force=true`, body(spec), { type: 'application/apply-patch+yaml' }),
  }
}

const causes = (answer: { readonly body: { readonly details?: unknown } }) =>
  (answer.body.details as { causes?: { field: string; reason: string; message: string }[] })?.causes?.map(
    ({ field, reason, message }) => [field, reason, message],
  )

describe('a write', () => {
  it('is refused with the reason, field and message of the rule, beside other causes', async () => {
    const { create } = await kind(
      object({ min: { type: 'integer', multipleOf: 2 }, max: integer }, [
        {
          rule: 'self.min <= self.max',
          fieldPath: '.min',
          reason: 'FieldValueForbidden',
          messageExpression: "self.max > 3 ? 'over' : 'under'",
        },
      ]),
    )
    expect((await create({ min: 2, max: 4 })).status).toBe(201)
    const refused = await create({ min: 5, max: 4 }, { name: 'b' })
    expect(refused.status).toBe(422)
    expect(causes(refused)).toEqual([
      ['spec.min', 'FieldValueInvalid', 'Invalid value: 5: spec.min in body should be a multiple of 2'],
      ['spec.min', 'FieldValueForbidden', 'Forbidden: over'],
    ])
  })

  it('is not judged by rules while its types are wrong', async () => {
    const { create } = await kind(object({ min: integer }, [{ rule: 'self.min > 0' }]))
    const refused = await create({ min: 'x' })
    expect(causes(refused)?.map(([field]) => field)).toEqual(['spec.min', '<nil>'])
    expect(refused.text).toContain('some validation rules were not checked because the object was invalid')
  })

  it('is judged by rules about its name', async () => {
    const { create } = await kind(
      { type: 'object' },
      { 'x-kubernetes-validations': [{ rule: "self.metadata.name != 'b'" }] },
    )
    expect((await create({})).status).toBe(201)
    const refused = await create({}, { name: 'b' })
    expect(causes(refused)).toEqual([
      ['<nil>', 'FieldValueInvalid', "Invalid value: failed rule: self.metadata.name != 'b'"],
    ])
  })

  it('of the status is judged by the rules of the whole', async () => {
    const { at, create } = await kind(
      { type: 'object' },
      {
        'x-kubernetes-validations': [
          { rule: "!has(self.status) || !has(self.status.phase) || self.status.phase != 'Bad'", message: 'no' },
        ],
      },
    )
    await create({})
    expect((await server.patch(`${at}/a/status`, { status: { phase: 'Good' } })).status).toBe(200)
    expect((await server.patch(`${at}/a/status`, { status: { phase: 'Bad' } })).status).toBe(422)
  })
})

describe('a transition rule', () => {
  it('compares with the object before, and lets creates pass', async () => {
    const { create, patch } = await kind(object({ n: integer }, [{ rule: 'self.n >= oldSelf.n', message: 'shrinks' }]))
    await create({ n: 3 })
    expect((await patch({ n: 2 })).status).toBe(422)
    expect((await patch({ n: 4 })).status).toBe(200)
  })

  it('judges a write that changes nothing, as the policies and webhooks do', async () => {
    const rules = [{ rule: '!oldSelf.hasValue()', optionalOldSelf: true, message: 'is final' }]
    const { create, patch, apply } = await kind(object({ n: { ...integer, 'x-kubernetes-validations': rules } }, []))
    await create({ n: 3 })
    for (const answer of [await patch({ n: 3 }), await patch({}), await apply({ n: 3 })]) {
      expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('is final')])
    }
  })

  it('of the schema about apiVersion is asked, too, when nothing changed', async () => {
    const { create, patch, at } = await kind(object({ n: integer }, []))
    await create({ n: 3 })
    const name = `${at.slice(at.lastIndexOf('/') + 1)}.ex.io`
    const pattern = { type: 'string', pattern: '^ex.io/v2$' }
    const path = '/spec/versions/0/schema/openAPIV3Schema/properties/apiVersion'
    expect((await server.patch(`${DEFINITIONS}/${name}`, [{ op: 'add', path, value: pattern }])).status).toBe(200)
    await expect.poll(async () => (await patch({ n: 3 })).body.message).toContain('apiVersion in body should match')
  })

  it('finds the item with the same key in a list of type map', async () => {
    const items = object({ name: { type: 'string', maxLength: 9 }, n: integer }, [{ rule: 'self.n >= oldSelf.n' }], {
      required: ['name'],
    })
    const list = {
      type: 'array',
      maxItems: 9,
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }
    const { create, patch } = await kind(object({ list }, []))
    await create({
      list: [
        { name: 'a', n: 1 },
        { name: 'b', n: 5 },
      ],
    })
    expect(
      (
        await patch({
          list: [
            { name: 'b', n: 6 },
            { name: 'c', n: 0 },
          ],
        })
      ).status,
    ).toBe(200)
    const refused = await patch({
      list: [
        { name: 'c', n: 0 },
        { name: 'b', n: 1 },
      ],
    })
    expect(causes(refused)?.map(([field]) => field)).toEqual(['spec.list[1]'])
  })

  it('with optionalOldSelf runs for creates, too', async () => {
    const { create, patch } = await kind(
      object({ n: integer }, [{ rule: 'oldSelf.hasValue() || self.n == 0', optionalOldSelf: true }]),
    )
    expect((await create({ n: 1 })).status).toBe(422)
    await create({ n: 0 })
    expect((await patch({ n: 1 })).status).toBe(200)
  })
})

it('what did not change may stay, and its sender is told', async () => {
  const rules = (rule: string) => ({
    type: 'object',
    properties: { a: object({ n: integer }, [{ rule }]), b: integer },
  })
  const first = definition(rules('self.n < 100'))
  await server.define(first)
  const { plural, kind: name } = first.spec.names
  const at = `/apis/ex.io/v1/${plural}`
  await server.post(at, { apiVersion: 'ex.io/v1', kind: name, metadata: { name: 'a' }, spec: { a: { n: 50 }, b: 1 } })
  const stricter = structuredClone(first)
  Object.assign(stricter.spec.versions[0]?.schema.openAPIV3Schema.properties as object, { spec: rules('self.n < 10') })
  expect((await server.patch(`${DEFINITIONS}/${plural}.ex.io`, { spec: stricter.spec })).status).toBe(200)
  const judged = async () => server.patch(`${at}/a?dryRun=All`, { spec: { a: { n: 60 } } })
  await expect.poll(async () => (await judged()).status).toBe(422)
  const kept = await server.patch(`${at}/a`, { spec: { b: 2 } })
  expect([kept.status, kept.headers.get('warning')]).toEqual([200, expect.stringContaining('failed rule: self.n < 10')])
})

describe('a definition is refused', () => {
  it.each<[string, object, RegExp]>([
    ['when a rule does not parse', object({}, [{ rule: 'self.' }]), /Syntax error/],
    [
      'when a rule does not fit the types',
      object({ n: integer }, [{ rule: "self.n == 'a'" }]),
      /found no matching overload/,
    ],
    [
      'when a rule of many items costs too much',
      {
        type: 'array',
        items: { type: 'array', items: { ...object({ s: { type: 'string' } }, [{ rule: "self.s.matches('a')" }]) } },
      },
      /estimated rule cost exceeds budget/,
    ],
    [
      'when oldSelf cannot be known',
      { type: 'array', maxItems: 3, items: object({ n: integer }, [{ rule: 'self.n == oldSelf.n' }]) },
      /uncorrelatable portion of the schema within/,
    ],
    [
      'when a default breaks a rule',
      object({ a: object({ n: integer }, [{ rule: 'self.n > 3' }], { default: { n: 1 } }) }, []),
      /properties\[a\]\.default: Invalid value: failed rule: self.n > 3/,
    ],
    [
      'when a default breaks a rule for what is new',
      object(
        { a: object({ n: integer }, [{ rule: 'oldSelf.hasValue()', optionalOldSelf: true }], { default: { n: 1 } }) },
        [],
      ),
      /properties\[a\]\.default/,
    ],
  ])('%s', async (_, spec, message) => {
    const answer = await server.post(DEFINITIONS, definition(spec))
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(message)])
  })
})

it('a bound around a rule counts: the same rule is taken with one', async () => {
  const items = object({ s: { type: 'string', maxLength: 999 } }, [{ rule: "self.s.matches('a')" }])
  const list = (bounds: object) => ({ type: 'array', items: { type: 'array', items, ...bounds }, ...bounds })
  expect((await server.post(DEFINITIONS, definition(list({})))).status).toBe(422)
  expect((await server.post(DEFINITIONS, definition(list({ maxItems: 20 })))).status).toBe(201)
})
