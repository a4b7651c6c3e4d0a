import { afterAll, expect, it } from 'vitest'
import { configMap, GROUP, namespace, widget, widgets } from './definitions.ts'
import { conditionOf, serve } from './server.ts'
import { story } from './watching.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)

const NAMESPACES = '/api/v1/namespaces'
const inside = (name: string) => ({
  widgets: `/apis/${GROUP}/v1/namespaces/${name}/widgets`,
  configMaps: `/api/v1/namespaces/${name}/configmaps`,
})

it('is labelled with the name it was given by the server', async () => {
  const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'made-' } }
  const { status, body } = await server.post(NAMESPACES, made)
  expect(status).toBe(201)
  expect(body.metadata.name).toMatch(/^made-[a-z0-9]{5}$/)
  expect(body.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': body.metadata.name })
  await server.delete(`${NAMESPACES}/${body.metadata.name}`)
  while ((await server.get(`${NAMESPACES}/${body.metadata.name}`)).status !== 404) await new Promise(setImmediate)
})

it('has the system namespaces from the start and keeps them', async () => {
  const { body } = await server.get(NAMESPACES)
  expect(body.items.map(({ metadata }) => metadata.name)).toEqual([
    'default',
    'kube-node-lease',
    'kube-public',
    'kube-system',
  ])
  for (const name of ['default', 'kube-system', 'kube-public']) {
    const { status, body: answer } = await server.delete(`${NAMESPACES}/${name}`)
    expect(status).toBe(403)
    expect(answer).toMatchObject({
      reason: 'Forbidden',
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    })
  }
})

it('creates them active, labelled and held by their content', async () => {
  const { body } = await server.post(NAMESPACES, namespace('fresh'))
  expect(body).toMatchObject({
    metadata: { labels: { 'kubernetes.io/metadata.name': 'fresh' } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  })
  const { body: patched } = await server.patch(`${NAMESPACES}/fresh`, {
    metadata: { labels: { 'kubernetes.io/metadata.name': 'wrong' } },
    spec: { finalizers: [] },
    status: { phase: 'Terminating' },
  })
  expect(patched).toEqual(body)
  expect((await server.post(NAMESPACES, namespace('Not.A.Label'))).status).toBe(422)
})

it('answers a deletion with the namespace, deletes what is in it, and then itself', async () => {
  const { widgets: at, configMaps } = inside('emptied')
  await server.post(NAMESPACES, namespace('emptied'))
  await server.post(at, widget('a'))
  await server.post(configMaps, configMap('b'))
  const changes = await server.watch(at)
  await changes.next()
  const { status, body } = await server.delete(`${NAMESPACES}/emptied`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    kind: 'Namespace',
    metadata: { deletionTimestamp: expect.any(String) },
    status: { phase: 'Terminating' },
  })
  expect(story([await changes.next()])).toBe('DELETED a')
  await server.gone(`${NAMESPACES}/emptied`)
  expect((await server.get(at)).body.items).toEqual([])
  expect((await server.post(NAMESPACES, namespace('emptied'))).status).toBe(201)
  expect((await server.get(`${configMaps}/b`)).status).toBe(404)
})

it('waits for finalizers, says what it waits for, and takes nothing new meanwhile', async () => {
  const { widgets: at } = inside('held')
  await server.post(NAMESPACES, namespace('held'))
  await server.post(at, widget('stuck', {}, { finalizers: ['example.com/hold'] }))
  await server.delete(`${NAMESPACES}/held`)
  const waiting = await server.until(
    `${NAMESPACES}/held`,
    (object) => conditionOf(object, 'NamespaceFinalizersRemaining') === 'True',
  )
  expect(conditionOf(waiting, 'NamespaceContentRemaining')).toBe('True')
  expect(conditionOf(waiting, 'NamespaceDeletionContentFailure')).toBe('False')
  expect(JSON.stringify(waiting.status)).toContain('example.com/hold in 1 resource instances')

  const { status, body } = await server.post(at, widget('late'))
  expect(status).toBe(403)
  expect(body).toMatchObject({
    reason: 'Forbidden',
    message: expect.stringContaining('because it is being terminated'),
    details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
  })
  expect((await server.patch(`${at}/stuck`, { spec: { size: 3 } })).status).toBe(200)
  await server.patch(`${at}/stuck`, { metadata: { finalizers: [] } })
  await server.gone(`${NAMESPACES}/held`)
})

it('can be let go of by hand through /finalize, and not otherwise', async () => {
  await server.post(NAMESPACES, { ...namespace('kept'), spec: { finalizers: ['example.com/mine'] } })
  await server.delete(`${NAMESPACES}/kept`)
  const waiting = await server.until(
    `${NAMESPACES}/kept`,
    ({ spec }) => JSON.stringify(spec.finalizers) === '["example.com/mine"]',
  )
  const { body } = await server.put(`${NAMESPACES}/kept`, { ...waiting, spec: {} })
  expect(body.spec).toEqual(waiting.spec)
  const { status } = await server.put(`${NAMESPACES}/kept/finalize`, { ...body, spec: { finalizers: [] } })
  expect(status).toBe(200)
  await server.gone(`${NAMESPACES}/kept`)
})

it('can be selected by phase and by name', async () => {
  const names = async (selector: string) =>
    (await server.get(`${NAMESPACES}?fieldSelector=${selector}`)).body.items.map(({ metadata }) => metadata.name)
  expect(await names('metadata.name=default')).toEqual(['default'])
  expect(await names('status.phase=Terminating')).toEqual([])
  expect(await names('status.phase!=Terminating,metadata.name!=default')).toContain('kube-system')
})

it('shows its phase as a table', async () => {
  const { body } = await server.get(`${NAMESPACES}/default`, {
    accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
  })
  expect(body).toMatchObject({
    kind: 'Table',
    columnDefinitions: [{ name: 'Name' }, { name: 'Status' }, { name: 'Age' }],
    rows: [{ cells: ['default', 'Active', expect.any(String)] }],
  })
})
