// A write by code inside the server stores the same bytes as the same write over HTTP: pruning, defaults, validation,
// managed fields and encoding are equal.

import { type KubeObject, writeJson } from '@homeostat/meta'
import { MemoryStore } from '@homeostat/store'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { type ResourceName, startApiServer } from '../src/index.ts'
import { type Answer, client } from './server.ts'

const GADGETS = { group: 'ex.io', resource: 'gadgets' }

const item = { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer', default: 3 } } }
const part = {
  type: 'object',
  properties: {
    a: { type: 'string' },
    n: { type: 'integer', minimum: 0 },
    data: { type: 'object', additionalProperties: { type: 'string' } },
    items: { type: 'array', items: item },
    deep: { type: 'object', default: {}, properties: { a: { type: 'string', default: 'x' }, deep: item } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { deep: item } },
  },
}
const definition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.ex.io' },
  spec: {
    group: 'ex.io',
    names: { kind: 'Gadget', plural: 'gadgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: part, status: part } } },
      },
    ],
  },
}

const store = new MemoryStore()
const server = await startApiServer({
  store,
  host: '127.0.0.1',
  port: 0,
  definitions: [definition],
  rolesLater: true,
  clock: { now: () => Date.UTC(2026, 0, 1), setTimer: () => () => {} },
})
const inside = server.api({ username: 'system:admin', manager: 'one' })
const http = client(server.address.port)

afterAll(async () => {
  await server.close()
  await store.close()
})

/** Field names that some schema knows, unknown ones, and those of metadata. */
const NAMES = ['a', 'n', 'data', 'items', 'deep', 'free', 'unknown', 'replicas', 'labels', 'name', '__x']
const { value } = fc.letrec<{ value: unknown; fields: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('', 'x', 'YQ==', 0, 1, 1.5, true, null, 2n ** 60n),
    tie('fields'),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
  fields: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 4, noNullPrototype: true }),
}))
const fields = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 5, noNullPrototype: true })

interface Kind {
  readonly resource: ResourceName
  readonly apiVersion: string
  readonly kind: string
  readonly path: string
  /** The fields of a valid object, to which the test adds any others. */
  readonly base?: object
}

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const KINDS: readonly Kind[] = [
  { resource: GADGETS, apiVersion: 'ex.io/v1', kind: 'Gadget', path: '/apis/ex.io/v1/namespaces/default/gadgets' },
  {
    resource: { group: '', resource: 'configmaps' },
    apiVersion: 'v1',
    kind: 'ConfigMap',
    path: '/api/v1/namespaces/default/configmaps',
  },
  {
    resource: { group: '', resource: 'secrets' },
    apiVersion: 'v1',
    kind: 'Secret',
    path: '/api/v1/namespaces/default/secrets',
  },
  {
    resource: { group: 'apps', resource: 'deployments' },
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    path: '/apis/apps/v1/namespaces/default/deployments',
    base: { selector: { matchLabels: { app: 'x' } }, template },
  },
]

const NAME = { namespace: 'default', name: 'one' }

/** The stored bytes without uid and resourceVersion. */
function stored({ resource }: Kind): string {
  const bytes = inside.object(resource, NAME)?.bytes
  return String(bytes)
    .replace(/"resourceVersion":"\d+"/, '')
    .replace(/"uid":"[^"]+"/, '')
}

async function outcome(kind: Kind, write: () => Promise<unknown>): Promise<string> {
  try {
    const answer = await write()
    const { status, body } = (answer ?? {}) as Partial<Answer>
    if (typeof status === 'number' && status >= 400) return `refused: ${body?.message}`
  } catch (error) {
    return `refused: ${(error as Error).message}`
  }
  return stored(kind)
}

const remove = ({ resource }: Kind) => inside.delete(resource, NAME, { gracePeriodSeconds: 0 }).catch(() => {})

describe.each(KINDS)('$kind', (kind) => {
  const objectOf = ({ metadata = {}, spec, status, ...rest }: Record<string, unknown>): KubeObject =>
    ({
      ...rest,
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      metadata: { ...(metadata as object), ...NAME },
      ...(spec !== undefined || kind.base ? { spec: { ...(spec as object), ...kind.base } } : {}),
      ...(status !== undefined && { status }),
    }) as KubeObject
  const objects = fc
    .record({ spec: fields, status: fields, data: fields, unknown: value, metadata: fields }, { requiredKeys: [] })
    .map((parts) => objectOf(parts))

  it('is created alike', async () => {
    await fc.assert(
      fc.asyncProperty(objects, async (object) => {
        const sent = await outcome(kind, () => http.post(`${kind.path}?fieldManager=one`, writeJson(object)))
        await remove(kind)
        expect(await outcome(kind, () => inside.create(kind.resource, object))).toBe(sent)
        await remove(kind)
      }),
      { numRuns: 60 },
    )
  })

  it('is changed alike', async () => {
    await fc.assert(
      fc.asyncProperty(fields, fields, async (spec, status) => {
        const change = { unknown: 1, spec: { ...spec, ...kind.base }, data: status }
        const begin = () => inside.create(kind.resource, objectOf({}))
        const put = (subresource: string, more: object) =>
          outcome(kind, async () => {
            const { body } = await http.get(`${kind.path}/one`)
            return http.put(`${kind.path}/one${subresource}?fieldManager=one`, writeJson({ ...body, ...more }))
          })
        await begin()
        const sent = [await put('', change)]
        if (kind.resource === GADGETS) sent.push(await put('/status', { status }))
        await remove(kind)

        await begin()
        const done = [
          await outcome(kind, () => inside.change(kind.resource, NAME, (object) => Object.assign(object, change))),
        ]
        if (kind.resource === GADGETS)
          done.push(await outcome(kind, () => inside.writeStatus(GADGETS, NAME, () => structuredClone(status))))
        await remove(kind)
        expect(done).toEqual(sent)

        if (kind.resource !== GADGETS) return
        await begin()
        await outcome(kind, () => inside.change(kind.resource, NAME, (object) => Object.assign(object, change)))
        const long = (object: KubeObject) => void Object.assign(object, { status })
        expect(await outcome(kind, () => inside.change(GADGETS, NAME, long, { subresource: 'status' }))).toBe(sent[1])
        await remove(kind)
      }),
      { numRuns: 60 },
    )
  })
})

it('what belongs into a namespace is not written without one', async () => {
  const nowhere = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }
  await expect(inside.create({ group: '', resource: 'configmaps' }, nowhere)).rejects.toThrow('in a namespace')
})
