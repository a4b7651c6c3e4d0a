// Puts numbers at the edges into every keyword of a definition's schema that takes any, and uses the kind: objects at the same
// edges, documents, tables. Nothing answers with an internal error, and nothing stands still.

import { expect, it } from 'vitest'
import { expectLife } from './life.ts'
import { forEach, NUMBERS, type NumbersServer, startNumbersServer } from './numbers-server.ts'

type Schema = Readonly<Record<string, unknown>>

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const RESOURCES = '/apis/colonies.io/v1/resourcedefinitions'

/** Each makes the schema of a field from a number. */
const KEYWORDS: Readonly<Record<string, (number: number | bigint) => Schema>> = {
  maximum: (maximum) => ({ type: 'integer', maximum }),
  minimum: (minimum) => ({ type: 'integer', minimum }),
  exclusive: (maximum) => ({ type: 'number', maximum, exclusiveMaximum: true }),
  multipleof: (multipleOf) => ({ type: 'integer', multipleOf }),
  maxlength: (maxLength) => ({ type: 'string', maxLength }),
  minlength: (minLength) => ({ type: 'string', minLength }),
  maxitems: (maxItems) => ({ type: 'array', items: { type: 'integer' }, maxItems }),
  minitems: (minItems) => ({ type: 'array', items: { type: 'integer' }, minItems }),
  maxproperties: (maxProperties) => ({
    type: 'object',
    additionalProperties: { type: 'integer' },
    maxProperties,
  }),
  minproperties: (minProperties) => ({
    type: 'object',
    additionalProperties: { type: 'integer' },
    minProperties,
  }),
  default: (value) => ({ type: 'number', default: value }),
  defaultin: (value) => ({
    type: 'object',
    default: { n: value },
    properties: { n: { type: 'integer', default: value } },
  }),
  enum: (value) => ({ type: 'number', enum: [value, 1] }),
  example: (value) => ({ type: 'number', example: value }),
  either: (value) => ({ 'x-kubernetes-int-or-string': true, default: value }),
  set: (value) => ({
    type: 'array',
    items: { type: 'integer' },
    'x-kubernetes-list-type': 'set',
    default: [value],
  }),
  map: (value) => ({
    type: 'array',
    items: { type: 'object', required: ['k'], properties: { k: { type: 'integer' }, v: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    default: [{ k: value, v: 'a' }],
  }),
  any: (maximum) => ({ type: 'integer', anyOf: [{ maximum }, { minimum: maximum }] }),
}

const cases = Object.entries(KEYWORDS).flatMap(([keyword, make]) =>
  NUMBERS.map((number, index) => ({ plural: `${keyword}${index}s`, kind: `${keyword}${index}`, schema: make(number) })),
)

it('no number in any definition stops the server', { timeout: 600_000 }, async () => {
  const server = await startNumbersServer()
  let served = 0
  await forEach(cases, async ({ plural, kind, schema }) => {
    const { status } = await server.ask('POST', DEFINITIONS, definition(plural, kind, schema))
    if (status !== 201) return
    served++
    await server.until(`${DEFINITIONS}/${plural}.numbers.example.com`, ({ status }) =>
      status?.conditions?.some(({ type, status }: Schema) => type === 'Established' && status === 'True'),
    )
    await use(server, plural, kind)
  })
  expect(served).toBeGreaterThan(60)
  await forEach(cases, async ({ plural, kind, schema }) => {
    await server.ask('POST', RESOURCES, resourceDefinition(`r${plural}`, kind, schema))
  })
  await expectLife(server)
  await forEach(cases, async ({ plural }) => {
    await server.ask('DELETE', `${DEFINITIONS}/${plural}.numbers.example.com`)
    await server.until(`${DEFINITIONS}/${plural}.numbers.example.com`, (_, status) => status === 404)
  })
  expect(server.faults()).toEqual([])
})

function definition(plural: string, kind: string, field: Schema): object {
  const column = (type: string) => ({ name: type, type, jsonPath: '.spec.field' })
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.numbers.example.com` },
    spec: {
      group: 'numbers.example.com',
      scope: 'Namespaced',
      names: { plural, singular: kind, kind, listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {}, scale: { specReplicasPath: '.spec.field', statusReplicasPath: '.status.field' } },
          additionalPrinterColumns: ['integer', 'number', 'string', 'date'].map(column),
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', default: {}, properties: { field } },
                status: { type: 'object', properties: { field } },
              },
            },
          },
        },
      ],
    },
  }
}

function resourceDefinition(plural: string, kind: string, schema: Schema): object {
  return {
    apiVersion: 'colonies.io/v1',
    kind: 'ResourceDefinition',
    metadata: { name: `${plural}.numbers.example.org` },
    spec: {
      group: 'numbers.example.org',
      version: 'v1',
      names: { kind: `r${kind}`, plural },
      schema: { type: 'object', properties: { field: schema } },
    },
  }
}

async function use({ ask }: NumbersServer, plural: string, kind: string): Promise<void> {
  const path = `/apis/numbers.example.com/v1/namespaces/default/${plural}`
  const values = [...NUMBERS, 'text', [...NUMBERS.slice(0, 2)], { n: NUMBERS[1] }, [{ k: NUMBERS[1] }], undefined]
  await forEach(values, async (field, index) => {
    const name = `n${index}`
    const object = {
      apiVersion: 'numbers.example.com/v1',
      kind,
      metadata: { name },
      ...(field !== undefined && { spec: { field } }),
    }
    await ask('POST', path, object)
    await ask('PATCH', `${path}/${name}?fieldManager=a&force=true`, object, {
      'content-type': 'application/apply-patch+yaml',
    })
    await ask(
      'PATCH',
      `${path}/${name}/status`,
      { status: { field } },
      { 'content-type': 'application/merge-patch+json' },
    )
    await ask('GET', `${path}/${name}/scale`)
  })
  for (const accept of ['application/json', 'application/yaml', 'application/json;as=Table;v=v1;g=meta.k8s.io'])
    await ask('GET', path, undefined, { accept })
}
