import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { definition, GROUP, planets, version, widgets } from './definitions.ts'
import { DEFINITIONS, serve } from './server.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)
await server.define(planets)

describe('discovery', () => {
  it('starts at /api and /apis', async () => {
    expect((await server.get('/api')).body).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: `127.0.0.1:${server.port}` }],
    })
    const { body } = await server.get('/apis')
    expect(body).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' })
    const groups = (body.groups as { name: string }[]).map(({ name }) => name)
    expect(groups).toEqual(expect.arrayContaining(['apiextensions.k8s.io', 'coordination.k8s.io', GROUP]))
    expect(groups.at(-1)).toBe(GROUP)
    expect((await server.get('/apis/')).body).toEqual(body)
  })

  it('tells what can be done with each resource', async () => {
    const { body } = await server.get(`/apis/${GROUP}/v1`)
    expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: `${GROUP}/v1` })
    const hash = createHash('sha256').update(`${GROUP}/v1/Widget`).digest().subarray(0, 8).toString('base64')
    const verbs = ['get', 'patch', 'update']
    expect(body.resources).toEqual([
      expect.objectContaining({ name: 'planets', namespaced: false }),
      {
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        shortNames: ['wd'],
        categories: ['all'],
        storageVersionHash: hash,
      },
      { name: 'widgets/status', singularName: '', namespaced: true, kind: 'Widget', verbs },
      {
        name: 'widgets/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs,
      },
    ])
    const core = (await server.get('/api/v1')).body.resources as { name: string; verbs: string[] }[]
    expect(core.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'configmaps',
        'events',
        'namespaces',
        'namespaces/finalize',
        'secrets',
        'serviceaccounts',
      ]),
    )
    expect(core.find(({ name }) => name === 'namespaces')?.verbs).not.toContain('deletecollection')
  })

  it('answers with everything at once to clients that ask for it, and with 304 to those who have it', async () => {
    const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    const { headers, body } = await server.get('/apis', { accept: `${aggregated},application/json` })
    expect(headers.get('content-type')).toBe(aggregated)
    expect(headers.get('cache-control')).toBe('public')
    expect(headers.get('vary')).toMatch(/Accept$/)
    expect(body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' })
    expect((body.items as Body[]).at(-1)?.metadata.name).toBe(GROUP)
    const etag = headers.get('etag') ?? ''
    const again = await server.get('/apis', { accept: aggregated, headers: { 'if-none-match': etag } })
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(again.headers.get('etag')).toBe(etag)
    const head = await server.send('HEAD', '/apis', { accept: aggregated })
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('etag')).toBe(etag)
    expect((await server.get('/api/', { accept: aggregated })).body.items).toHaveLength(1)
  })

  it('has the aggregated form only where everything is listed, and only in versions it knows', async () => {
    const future = 'application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList'
    expect((await server.get('/apis', { accept: future })).status).toBe(406)
    expect((await server.get('/apis', { accept: `${future},application/json` })).body.kind).toBe('APIGroupList')
    const aggregated = future.replace('v3', 'v2')
    expect((await server.get(`/apis/${GROUP}`, { accept: `${aggregated},*/*` })).body.kind).toBe('APIGroup')
  })

  it('follows definitions: groups come and go, versions are sorted', async () => {
    const group = 'fleeting.example.com'
    await server.define(
      definition({
        plural: 'flies',
        kind: 'Fly',
        group,
        versions: ['v1alpha1', 'v2', 'v1beta2', 'v10', 'v1', 'foo', 'v1beta10'].map((name, i) =>
          version(name, { storage: i === 0 }),
        ),
      }),
    )
    const { body } = await server.get(`/apis/${group}`)
    expect((body.versions as { version: string }[]).map((entry) => entry.version)).toEqual([
      'v10',
      'v2',
      'v1',
      'v1beta10',
      'v1beta2',
      'v1alpha1',
      'foo',
    ])
    expect(body.preferredVersion).toMatchObject({ version: 'v10' })
    await server.delete(`${DEFINITIONS}/flies.${group}`)
    await server.gone(`${DEFINITIONS}/flies.${group}`)
    expect((await server.get(`/apis/${group}`)).status).toBe(404)
    expect((await server.get('/apis')).text).not.toContain(group)
  })

  it('says which Kubernetes it is like', async () => {
    expect((await server.get('/version')).body).toMatchObject({
      major: '1',
      minor: '35',
      gitVersion: 'v1.35.8+homeostat',
      platform: expect.stringMatching(/^\w+\/\w+$/),
    })
  })
})

describe('OpenAPI', () => {
  const index = async () =>
    (await server.get('/openapi/v3')).body.paths as Record<string, { serverRelativeURL: string }>

  it('has an index of documents with the hash of each', async () => {
    const paths = await index()
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['api/v1', `apis/${GROUP}/v1`, 'apis/apiextensions.k8s.io/v1']),
    )
    for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
      expect(serverRelativeURL).toMatch(new RegExp(`^/openapi/v3/${path}\\?hash=[0-9A-F]{128}$`))
      const { status, text, headers } = await server.get(serverRelativeURL)
      expect(status).toBe(200)
      const hash = createHash('sha512').update(text).digest('hex').toUpperCase()
      expect(serverRelativeURL.endsWith(hash)).toBe(true)
      expect(headers.get('etag')).toBe(`"${hash}"`)
      expect(headers.get('cache-control')).toBe('public, immutable')
      expect(Date.parse(headers.get('expires') ?? '')).toBeGreaterThan(Date.now() + 360 * 24 * 3600 * 1000)
      expect(headers.get('vary')).toMatch(/Accept$/)
    }
  })

  it('redirects an old hash, and answers 304 to those who have it', async () => {
    const path = `/openapi/v3/apis/${GROUP}/v1`
    const old = await server.get(`${path}?hash=OLD`)
    expect(old.status).toBe(301)
    expect(old.headers.get('location')).toBe((await index())[`apis/${GROUP}/v1`]?.serverRelativeURL)
    const { status, headers } = await server.get(path)
    expect(status).toBe(200)
    const etag = headers.get('etag') ?? ''
    expect((await server.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await server.get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    expect((await server.get('/openapi/v3/apis/none.example/v1')).status).toBe(404)
    expect((await server.get('/openapi/v4')).status).toBe(404)
  })

  it('describes operations and kinds as kubectl looks for them', async () => {
    const { body } = await server.get(`/openapi/v3/apis/${GROUP}/v1`)
    const paths = body.paths as Record<string, Record<string, Record<string, unknown>>>
    const patch = paths[`/apis/${GROUP}/v1/namespaces/{namespace}/widgets/{name}`]?.patch
    const kind = { group: GROUP, version: 'v1', kind: 'Widget' }
    expect(patch).toMatchObject({ 'x-kubernetes-action': 'patch', 'x-kubernetes-group-version-kind': kind })
    const parameters = (patch?.parameters ?? []) as { name: string }[]
    expect(parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['fieldValidation', 'dryRun', 'fieldManager']),
    )
    const { schemas } = body.components as { schemas: Record<string, Record<string, unknown>> }
    expect(schemas['com.example.v1.Widget']).toMatchObject({
      type: 'object',
      'x-kubernetes-group-version-kind': [kind],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: {},
        spec: { properties: { parts: { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] } } },
      },
    })
    for (const [, ref = ''] of JSON.stringify(body).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(Object.keys(schemas)).toContain(ref)
  })

  it('changes with a definition, and nothing else does', async () => {
    const before = await index()
    const { body } = await server.get(`${DEFINITIONS}/planets.example.com`)
    const [only] = body.spec.versions as { schema: { openAPIV3Schema: { description?: string } } }[]
    if (only) only.schema.openAPIV3Schema.description = 'A round thing'
    await server.put(`${DEFINITIONS}/planets.example.com`, body)
    const after = await index()
    expect(Object.keys(after)).toEqual(Object.keys(before))
    expect(
      Object.keys(after).filter((path) => after[path]?.serverRelativeURL !== before[path]?.serverRelativeURL),
    ).toEqual([`apis/${GROUP}/v1`])
    expect((await server.get(`/openapi/v3/apis/${GROUP}/v1`)).text).toContain('A round thing')
  })
})
