import { afterAll, describe, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { definition, GROUP, namespace, version } from './definitions.ts'
import { conditionOf, conditionsOf, DEFINITIONS, serve } from './server.ts'
import { story } from './watching.ts'

const server = await serve()
afterAll(() => server.close())
const at = (plural: string, name = 'v1') => `/apis/${GROUP}/${name}/namespaces/default/${plural}`
const make = (kind: string, name: string, more: object = {}) => ({
  apiVersion: `${GROUP}/v1`,
  kind,
  metadata: { name },
  ...more,
})
const resources = async (name = 'v1') =>
  (((await server.get(`/apis/${GROUP}/${name}`)).body.resources ?? []) as Body[]).map((resource) => resource.name)

describe('a definition', () => {
  it('is filled in, given its names, and served before it says so', async () => {
    const { status, body } = await server.post(
      DEFINITIONS,
      definition({ plural: 'cars', names: { shortNames: ['c'] } }),
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({
      metadata: { name: 'cars.example.com', generation: 1 },
      spec: {
        conversion: { strategy: 'None' },
        names: { plural: 'cars', singular: 'car', kind: 'Car', listKind: 'CarList', shortNames: ['c'] },
      },
      status: { storedVersions: ['v1'] },
    })
    const changes = await server.watch(`${DEFINITIONS}?fieldSelector=metadata.name%3Dcars.example.com`)
    const events = await changes.until(({ object }) => conditionOf(object, 'Established') === 'True')
    expect(events.at(-1)?.object).toMatchObject({
      status: {
        acceptedNames: { plural: 'cars', singular: 'car', kind: 'Car', listKind: 'CarList', shortNames: ['c'] },
        conditions: [
          { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
          { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' },
        ],
      },
    })
    expect((await server.get(at('cars'))).status).toBe(200)
    expect(await resources()).toContain('cars')
    expect((await server.get(`/openapi/v3/apis/${GROUP}/v1`)).text).toContain('com.example.v1.Car')
  })

  it('needs its name, a schema, and one version that stores', async () => {
    const causes = async (change: (body: { metadata: Body; spec: Record<string, unknown> }) => void) => {
      const body = structuredClone(definition({ plural: 'bads' })) as Parameters<typeof change>[0]
      change(body)
      const { status, body: answer } = await server.post(DEFINITIONS, body)
      expect(status).toBe(422)
      return answer.details.causes.map(({ field }) => field)
    }
    expect(await causes(({ metadata }) => Object.assign(metadata, { name: 'other.example.com' }))).toContain(
      'metadata.name',
    )
    expect(await causes(({ spec }) => Object.assign(spec, { scope: 'Galaxy' }))).toContain('spec.scope')
    expect(await causes(({ spec }) => Object.assign(spec, { versions: [version('v1', {})] }))).toContain(
      'spec.versions',
    )
    expect(await causes(({ spec }) => Object.assign(spec, { versions: [] }))).toContain('spec.versions')
    expect(
      await causes(({ spec }) => Object.assign(spec, { versions: [{ name: 'v1', served: true, storage: true }] })),
    ).toContain('spec.versions[0].schema.openAPIV3Schema')
    expect(await causes(({ spec }) => Object.assign(spec, { conversion: { strategy: 'Webhook' } }))).toContain(
      'spec.conversion.webhookClientConfig',
    )
    const hidden = definition({ plural: 'things', group: 'x.k8s.io' })
    expect((await server.post(DEFINITIONS, hidden)).body.details.causes).toMatchObject([
      { field: 'metadata.annotations[api-approved.kubernetes.io]' },
    ])
  })

  it('must have a structural schema', async () => {
    const refused: object[] = [
      { a: {} },
      { a: { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: { type: 'string' } } },
      { a: { type: 'string', $ref: '#/x' } },
      { a: { type: 'array', items: { type: 'string' }, uniqueItems: true } },
      { a: { type: 'integer', default: 'text' } },
    ]
    for (const spec of refused) {
      const { status, body } = await server.post(DEFINITIONS, definition({ plural: 'bads', spec }))
      expect(status, JSON.stringify(spec)).toBe(422)
      expect(body.details.causes[0]?.field).toMatch(/^spec\.validation\.openAPIV3Schema/)
    }
  })

  it('is updated against its version, and cannot change what objects depend on', async () => {
    const body = await server.define(definition({ plural: 'ships' }))
    const path = `${DEFINITIONS}/ships.example.com`
    expect((await server.put(path, definition({ plural: 'ships' }))).status).toBe(422)
    const change = (spec: object) => server.patch(path, { spec })
    expect((await change({ scope: 'Cluster' })).body.details.causes).toMatchObject([{ field: 'spec.scope' }])
    expect((await change({ names: { kind: 'Boat' } })).body.details.causes).toMatchObject([
      { field: 'spec.names.kind' },
    ])
    expect((await change({ group: 'other.example.com' })).status).toBe(422)
    expect((await server.put(path, { ...body, metadata: { ...body.metadata, resourceVersion: '1' } })).status).toBe(409)
  })

  it('warns of formats that nobody knows, and of no rule', async () => {
    const spec = {
      a: { type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }], properties: { b: { type: 'string' } } },
      c: { type: 'string', format: 'telepathy' },
    }
    const { status, headers } = await server.post(`${DEFINITIONS}?dryRun=All`, definition({ plural: 'rules', spec }))
    expect(status).toBe(201)
    expect(headers.get('warning')).toBe('299 - "unrecognized format \\"telepathy\\""')
  })
})

describe('names', () => {
  it('that another kind has are not given, until they are free', async () => {
    await server.define(definition({ plural: 'firsts', kind: 'First', names: { shortNames: ['fs'] } }))
    await server.post(DEFINITIONS, definition({ plural: 'seconds', kind: 'First', names: { shortNames: ['fs'] } }))
    const path = `${DEFINITIONS}/seconds.example.com`
    const waiting = await server.until(path, (object) => conditionOf(object, 'NamesAccepted') === 'False')
    expect(conditionOf(waiting, 'Established')).toBe('False')
    expect(conditionsOf(waiting).find(({ type }) => type === 'NamesAccepted')?.reason).toBe('ListKindConflict')
    expect((await server.get(at('seconds'))).status).toBe(404)
    expect(await resources()).not.toContain('seconds')
    await server.delete(`${DEFINITIONS}/firsts.example.com`)
    await server.until(path, (object) => conditionOf(object, 'Established') === 'True')
    expect((await server.post(at('seconds'), make('First', 'one'))).status).toBe(201)
  })

  it('may be the same in another group', async () => {
    await server.define(definition({ plural: 'cars', group: 'other.example.com' }))
    expect((await server.get('/apis/other.example.com/v1/namespaces/default/cars')).body.items).toEqual([])
  })
})

describe('versions', () => {
  const versions = (...list: object[]) => definition({ plural: 'birds', versions: list })
  const first = { type: 'string', default: 'tweet' }
  const v1 = version('v1', { storage: true, spec: { song: first, weight: { type: 'integer' } } })
  const v2 = version('v2', { spec: { song: first, wings: { type: 'integer', default: 2 } } })

  it('show one object in the shape that each knows', async () => {
    await server.define(versions(version('v1beta1', { deprecated: true }), v1, v2))
    const { body } = await server.post(at('birds'), make('Bird', 'robin', { spec: { weight: 5 } }))
    expect(body.spec).toEqual({ song: 'tweet', weight: 5 })
    const second = (await server.get(`${at('birds', 'v2')}/robin`)).body
    expect(second).toEqual({ ...body, apiVersion: `${GROUP}/v2`, spec: { song: 'tweet' } })
    expect((await server.get(at('birds', 'v2'))).body).toMatchObject({ kind: 'BirdList', items: [second] })
    const changes = await server.watch(at('birds', 'v2'))
    expect((await changes.next()).object).toEqual(second)
    await server.patch(`${at('birds', 'v2')}/robin`, { spec: { song: 'chirp' } })
    expect(await changes.next()).toMatchObject({
      type: 'MODIFIED',
      object: { apiVersion: `${GROUP}/v2`, spec: { song: 'chirp' } },
    })
    expect((await server.get(`${at('birds')}/robin`)).body.apiVersion).toBe(`${GROUP}/v1`)
    await server.delete(`${at('birds')}/robin`)
    expect(await changes.next()).toMatchObject({ type: 'DELETED', object: { apiVersion: `${GROUP}/v2` } })
  })

  it('are in discovery, best first, and say when they are deprecated', async () => {
    const { body } = await server.get(`/apis/${GROUP}`)
    expect(body).toMatchObject({
      kind: 'APIGroup',
      name: GROUP,
      versions: [{ version: 'v2' }, { version: 'v1' }, { version: 'v1beta1' }],
      preferredVersion: { groupVersion: `${GROUP}/v2`, version: 'v2' },
    })
    const { headers } = await server.get(at('birds', 'v1beta1'))
    expect(headers.get('warning')).toBe('299 - "example.com/v1beta1 Bird is deprecated; use example.com/v2 Bird"')
    expect((await server.get(at('birds', 'v2'))).headers.get('warning')).toBeNull()
  })

  it('that are no longer served are gone; those that stored must stay', async () => {
    const path = `${DEFINITIONS}/birds.example.com`
    await server.post(at('birds'), make('Bird', 'wren', { spec: {} }))
    const { body } = await server.patch(path, {
      spec: {
        versions: [
          { ...v1, storage: false },
          { ...v2, storage: true },
        ],
      },
    })
    expect(body.status).toMatchObject({ storedVersions: ['v1', 'v2'] })
    expect((await server.get(at('birds', 'v1beta1'))).status).toBe(404)
    expect((await server.get(`${at('birds', 'v2')}/wren`)).body.spec).toEqual({ song: 'tweet', wings: 2 })
    expect((await server.get(`${at('birds')}/wren`)).body.spec).toEqual({ song: 'tweet' })
    const removed = await server.patch(path, { spec: { versions: [{ ...v2, storage: true }] } })
    expect(removed.body.details.causes).toMatchObject([{ field: 'status.storedVersions[0]' }])
    await server.patch(`${path}/status`, { status: { storedVersions: ['v2'] } })
    expect((await server.patch(path, { spec: { versions: [{ ...v2, storage: true }] } })).status).toBe(200)
    expect((await server.get(`${at('birds', 'v2')}/wren`)).body).toMatchObject({ apiVersion: `${GROUP}/v2` })
    expect((await server.get(at('birds'))).status).toBe(404)
  })
})

describe('a changed schema', () => {
  it('ends watches, and shows what was written before as it would be written now', async () => {
    const old = definition({ plural: 'plans', spec: { keep: { type: 'string' }, drop: { type: 'string' } } })
    await server.define(old)
    const { body } = await server.post(at('plans'), make('Plan', 'a', { spec: { keep: 'k', drop: 'd' } }))
    await server.post(at('plans'), make('Plan', 'b', { spec: { drop: 'd' } }))
    const changes = await server.watch(`${at('plans')}?resourceVersion=${body.metadata.resourceVersion}`)
    expect(story([await changes.next()])).toBe('ADDED b')
    const spec = { keep: { type: 'string' }, added: { type: 'integer', default: 7 } }
    const { versions } = (definition({ plural: 'plans', spec }) as Body).spec
    await server.patch(`${DEFINITIONS}/plans.example.com`, { spec: { versions } })
    expect(await changes.rest()).toEqual([])

    const shown = { ...body, spec: { keep: 'k', added: 7 } }
    const resumed = await server.watch(`${at('plans')}?resourceVersion=${body.metadata.resourceVersion}`)
    expect((await resumed.next()).object.spec).toEqual({ added: 7 })
    expect((await server.get(`${at('plans')}/a`)).body).toEqual(shown)
    expect((await server.get(at('plans'))).body.items).toMatchObject([shown, { spec: { added: 7 } }])
    expect((await server.get(`${at('plans')}?limit=1`)).body.items).toEqual([shown])
    const initial = await server.watch(at('plans'))
    expect((await initial.next()).object).toEqual(shown)
    await server.delete(`${at('plans')}/a`)
    expect((await resumed.next()).object.spec).toEqual(shown.spec)
    expect((await server.patch(`${at('plans')}/b`, { metadata: { labels: { x: 'y' } } })).body.spec).toEqual({
      added: 7,
    })
  })

  it('does not end watches when only columns change, but new ones have them', async () => {
    await server.define(definition({ plural: 'charts', spec: { size: { type: 'integer' } } }))
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1'
    const table = await server.watch(at('charts'), { accept })
    const plain = await server.watch(at('charts'))
    const { versions } = (
      definition({
        plural: 'charts',
        spec: { size: { type: 'integer' } },
        version: { additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }] },
      }) as Body
    ).spec
    await server.patch(`${DEFINITIONS}/charts.example.com`, { spec: { versions } })
    const renewed = await server.watch(at('charts'), { accept })
    await server.post(at('charts'), make('Chart', 'a', { spec: { size: 4 } }))
    expect(story([await plain.next()])).toBe('ADDED a')
    expect((await renewed.next()).object).toMatchObject({
      columnDefinitions: [{ name: 'Name' }, { name: 'Size' }],
      rows: [{ cells: ['a', 4] }],
    })
    table.close()
  })
})

describe('a schema that names the kind and the name', () => {
  it('is asked about names once, and about apiVersion with every write', async () => {
    const root = (apiVersion: string, name: string) => ({
      apiVersion: { type: 'string', pattern: apiVersion },
      kind: { type: 'string', enum: ['Strict'] },
      metadata: { type: 'object', properties: { name: { type: 'string', pattern: name } } },
    })
    const versions = (apiVersion: string, name: string) => [
      version('v1', { storage: true, root: root(apiVersion, name), spec: { size: { type: 'integer' } } }),
    ]
    await server.define(definition({ plural: 'stricts', versions: versions('^example', '^a') }))
    const fields = ({ body }: { body: Body }) => body.details.causes.map(({ field }) => field)
    expect(fields(await server.post(at('stricts'), make('Strict', 'b')))).toEqual(['metadata.name'])
    expect((await server.post(at('stricts'), make('Strict', 'a'))).status).toBe(201)
    const tighten = (apiVersion: string) =>
      server.patch(`${DEFINITIONS}/stricts.${GROUP}`, { spec: { versions: versions(apiVersion, '^c') } })
    await tighten('^example')
    expect((await server.patch(`${at('stricts')}/a`, { spec: { size: 1 } })).status).toBe(200)
    await tighten('^other')
    expect(fields(await server.patch(`${at('stricts')}/a`, { spec: { size: 2 } }))).toEqual(['apiVersion'])
    expect((await server.delete(`${at('stricts')}/a`)).status).toBe(200)
  })
})

describe('deletion', () => {
  it('takes the objects along, and lets the same name be defined again', async () => {
    await server.define(definition({ plural: 'leaves', kind: 'Leaf' }))
    await server.post(at('leaves'), make('Leaf', 'a'))
    const changes = await server.watch(at('leaves'))
    await changes.next()
    const { body } = await server.delete(`${DEFINITIONS}/leaves.example.com`)
    expect(body).toMatchObject({
      kind: 'CustomResourceDefinition',
      metadata: { finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
    })
    expect(conditionOf(body, 'Terminating')).toBe('True')
    expect(story(await changes.rest())).toBe('DELETED a')
    await server.gone(`${DEFINITIONS}/leaves.example.com`)
    expect((await server.get(at('leaves'))).status).toBe(404)
    expect(await resources()).not.toContain('leaves')
    await server.define(definition({ plural: 'leaves', kind: 'Leaf' }))
    expect((await server.get(at('leaves'))).body.items).toEqual([])
  })

  it('waits for objects that finalizers hold, and takes no new ones meanwhile', async () => {
    await server.define(definition({ plural: 'roots' }))
    const held = make('Root', 'deep', { metadata: { name: 'deep', finalizers: ['example.com/hold'] } })
    await server.post(at('roots'), held)
    await server.delete(`${DEFINITIONS}/roots.example.com`)
    const waiting = await server.until(
      `${DEFINITIONS}/roots.example.com`,
      (object) =>
        conditionsOf(object).find(({ type }) => type === 'Terminating')?.reason === 'InstanceDeletionInProgress',
    )
    expect(waiting.metadata.deletionTimestamp).toBeDefined()
    const { status, body } = await server.post(at('roots'), make('Root', 'new'))
    expect(status).toBe(403)
    expect(body.message).toContain('create not allowed while custom resource definition is terminating')
    const listed = (await server.get(`/apis/${GROUP}/v1`)).body.resources as { name: string; verbs: string[] }[]
    expect(listed.find(({ name }) => name === 'roots')?.verbs).toEqual([
      'delete',
      'deletecollection',
      'get',
      'list',
      'watch',
    ])
    await server.until(`${at('roots')}/deep`, ({ metadata }) => metadata.deletionTimestamp !== undefined)
    await server.patch(`${at('roots')}/deep`, { metadata: { finalizers: null } })
    await server.gone(`${DEFINITIONS}/roots.example.com`)
  })
})

describe('opting in', () => {
  it('to updates without a version', async () => {
    const annotations = { 'homeostat.dev/unconditional-update': 'true' }
    await server.define(definition({ plural: 'lax', kind: 'Lax', annotations, spec: { n: { type: 'integer' } } }))
    await server.post(at('lax'), make('Lax', 'a'))
    expect((await server.put(`${at('lax')}/a`, make('Lax', 'a', { spec: { n: 2 } }))).body.spec).toEqual({ n: 2 })
    const stale = make('Lax', 'a', { metadata: { name: 'a', resourceVersion: '1' } })
    expect((await server.put(`${at('lax')}/a`, stale)).status).toBe(409)
  })

  it('to namespaces that come into being with their first object', async () => {
    const annotations = { 'homeostat.dev/create-namespaces': 'true' }
    await server.define(definition({ plural: 'pioneers', annotations, spec: { n: { type: 'integer' } } }))
    const place = `/apis/${GROUP}/v1/namespaces/frontier/pioneers`
    expect((await server.post(place, make('Pioneer', 'a', { spec: { n: 'x' } }))).status).toBe(422)
    expect((await server.post(`${place}?dryRun=All`, make('Pioneer', 'a'))).status).toBe(201)
    expect((await server.get('/api/v1/namespaces/frontier')).status).toBe(404)
    const many = Array.from({ length: 5 }, (_, i) => server.post(place, make('Pioneer', `p${i}`)))
    for (const { status } of await Promise.all(many)) expect(status).toBe(201)
    expect((await server.get('/api/v1/namespaces/frontier')).body).toMatchObject({ status: { phase: 'Active' } })
    expect((await server.post(place.replace('frontier', 'Not_A_Name'), make('Pioneer', 'a'))).status).toBe(422)
    await server.post('/api/v1/namespaces', { ...namespace('closing'), spec: { finalizers: ['example.com/x'] } })
    await server.delete('/api/v1/namespaces/closing')
    expect((await server.post(place.replace('frontier', 'closing'), make('Pioneer', 'a'))).status).toBe(403)
  })
})

it('does not warn or fail for definitions that a start brings along', async () => {
  const own = await serve({ definitions: [definition({ plural: 'gifts' }) as never] })
  try {
    expect((await own.get(at('gifts'))).body.items).toEqual([])
  } finally {
    await own.close()
  }
})
