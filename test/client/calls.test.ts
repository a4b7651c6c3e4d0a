// Every call of the client against a real server.

import type { ApiObject } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { GROUP, widgetDefinition } from '../widgets.ts'
import { type ServedClient, servedClient } from './served-client.ts'

interface Widget extends ApiObject {
  spec?: { token?: string; size?: number }
  status?: { phase?: string }
}

let served: ServedClient
let namespace = ''
let count = 0
const warned: string[] = []

beforeAll(async () => {
  served = await servedClient({ onWarning: (text) => warned.push(text) })
})
afterAll(() => served.close())

beforeEach(async () => {
  namespace = `calls-${++count}`
  await served.client.resource('v1', 'Namespace').create({ metadata: { name: namespace } })
})

const widgets = () => served.client.resourceOf<Widget>(`${GROUP}/v1`, 'Widget')
const widget = (name: string, spec: Widget['spec'] = { token: name }) => ({ metadata: { name, namespace }, spec })

test('what is created can be read, found, listed', async () => {
  const created = await widgets().create(widget('a'))
  expect(created).toMatchObject({ apiVersion: `${GROUP}/v1`, kind: 'Widget', spec: { token: 'a' } })
  const name = { name: 'a', namespace }
  expect(await widgets().get(name)).toEqual(created)
  expect(await widgets().find(name)).toEqual(created)
  expect((await widgets().list({ namespace })).items).toEqual([created])
})

test('what is missing is not found, and find says undefined', async () => {
  const name = { name: 'missing', namespace }
  await expect(widgets().get(name)).rejects.toSatisfy((error) => isStatusError(error, 'NotFound'))
  expect(await widgets().find(name)).toBeUndefined()
})

test('refusals keep their reason', async () => {
  await widgets().create(widget('a'))
  await expect(widgets().create(widget('a'))).rejects.toSatisfy((error) => isStatusError(error, 'AlreadyExists'))
  const wrong = { ...widget('b'), spec: { size: 'large' } } as object
  await expect(widgets().create(wrong)).rejects.toSatisfy((error) => isStatusError(error, 'Invalid'))
})

test('an update of an old state is a conflict', async () => {
  const first = await widgets().create(widget('a'))
  const second = await widgets().update({ ...first, spec: { size: 2 } })
  expect(second).toMatchObject({ metadata: { generation: 2 }, spec: { size: 2 } })
  await expect(widgets().update(first)).rejects.toSatisfy((error) => isStatusError(error, 'Conflict'))
})

test('patches of every type', async () => {
  const name = { name: 'a', namespace }
  await widgets().create(widget('a'))
  expect(await widgets().patch(name, { spec: { token: null, size: 1 } })).toMatchObject({ spec: { size: 1 } })
  const json = [{ op: 'replace', path: '/spec/size', value: 2 }]
  expect((await widgets().patch(name, json, { type: 'json' })).spec).toEqual({ size: 2 })
  const maps = served.client.resource('v1', 'ConfigMap')
  await maps.create({ metadata: name, data: { a: 'b' } })
  const patched = await maps.patch(name, { data: { c: 'd' } }, { type: 'strategic', fieldManager: 'me' })
  expect(patched.data).toEqual({ a: 'b', c: 'd' })
  expect(JSON.stringify(patched.metadata.managedFields)).toContain('"manager":"me"')
})

test('apply creates, changes, and takes over when forced', async () => {
  const apply = (fieldManager: string, size: number, force = false) =>
    widgets().apply(widget('a', { size }), { fieldManager, force })
  expect((await apply('one', 1)).spec).toEqual({ size: 1 })
  expect((await apply('one', 2)).spec).toEqual({ size: 2 })
  await expect(apply('two', 3)).rejects.toSatisfy((error) => isStatusError(error, 'Conflict'))
  expect((await apply('two', 3, true)).spec).toEqual({ size: 3 })
})

test('a dry run changes nothing', async () => {
  await widgets().create(widget('a'), { dryRun: true })
  expect(await widgets().find({ name: 'a', namespace })).toBeUndefined()
  await widgets().create(widget('a'))
  await widgets().delete({ name: 'a', namespace }, { dryRun: true })
  expect(await widgets().find({ name: 'a', namespace })).toBeDefined()
})

test('unknown fields are warned of, once, or refused', async () => {
  const odd = { ...widget('a'), spec: { colour: 'red' } } as object
  await widgets().create(odd)
  await widgets().delete({ name: 'a', namespace })
  await widgets().create(odd)
  expect(warned.filter((text) => text.includes('spec.colour'))).toHaveLength(1)
  await expect(widgets().create(odd, { fieldValidation: 'Strict' })).rejects.toThrow('spec.colour')
})

test('the status is written apart from the object', async () => {
  const name = { name: 'a', namespace }
  const created = await widgets().create({ ...widget('a'), status: { phase: 'ignored' } })
  expect(created.status).toBeUndefined()
  const updated = await widgets().status.update({ ...created, spec: { token: 'ignored' }, status: { phase: 'one' } })
  expect(updated).toMatchObject({ spec: { token: 'a' }, status: { phase: 'one' } })
  expect((await widgets().status.patch(name, { status: { phase: 'two' } })).status).toEqual({ phase: 'two' })
  const applied = { metadata: name, status: { phase: 'three' } }
  await widgets().status.apply(applied, { fieldManager: 'me', force: true })
  expect((await widgets().status.get(name)).status).toEqual({ phase: 'three' })
})

test('the scale of a workload is read and written', async () => {
  const name = { name: 'web', namespace }
  const deployments = served.client.resource('apps/v1', 'Deployment')
  const labels = { app: 'web' }
  await deployments.create({
    metadata: name,
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    },
  })
  const scale = await deployments.scale.get(name)
  expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } })
  expect((await deployments.scale.update({ ...scale, spec: { replicas: 3 } })).spec).toEqual({ replicas: 3 })
  await deployments.scale.patch(name, { spec: { replicas: 4 } })
  expect((await deployments.get(name)).spec).toMatchObject({ replicas: 4 })
})

test('deletes with options, and of a selection', async () => {
  const { metadata } = await widgets().create(widget('a'))
  const name = { name: 'a', namespace }
  const wrong = widgets().delete(name, { preconditions: { uid: 'other' } })
  await expect(wrong).rejects.toSatisfy((error) => isStatusError(error, 'Conflict'))
  await widgets().delete(name, {
    preconditions: { uid: `${metadata.uid}` },
    propagationPolicy: 'Background',
    gracePeriodSeconds: 0,
  })
  for (const [label, size] of Object.entries({ x: 1, y: 2 })) {
    await widgets().create({ metadata: { name: label, namespace, labels: { label } }, spec: { size } })
  }
  await widgets().deleteAll({ namespace, labelSelector: 'label=x' })
  expect((await widgets().list({ namespace })).items.map((item) => item.metadata.name)).toEqual(['y'])
})

test('lists come by pages and selections', async () => {
  for (let i = 0; i < 7; i++) {
    await widgets().create({ metadata: { name: `w${i}`, namespace, labels: { odd: `${i % 2 === 1}` } } })
  }
  const names = (items: Widget[]) => items.map(({ metadata }) => metadata.name)
  expect(names((await widgets().list({ namespace, limit: 2 })).items)).toHaveLength(7)
  expect(names((await widgets().list({ namespace, labelSelector: 'odd=true' })).items)).toEqual(['w1', 'w3', 'w5'])
  expect(names((await widgets().list({ namespace, fieldSelector: 'metadata.name=w6' })).items)).toEqual(['w6'])
  const sizes: number[] = []
  for await (const page of widgets().pages({ namespace, limit: 3 })) sizes.push(page.items.length)
  expect(sizes).toEqual([3, 3, 1])
})

test('a watch tells what happens, until it is left', async () => {
  const { metadata } = await widgets().list({ namespace })
  await widgets().create(widget('a', { token: 'one\u2028two\nthree' }))
  await widgets().patch({ name: 'a', namespace }, { spec: { token: 'x'.repeat(200_000) } })
  await widgets().delete({ name: 'a', namespace })
  const seen: unknown[] = []
  for await (const { type, object } of widgets().watch({ namespace, resourceVersion: `${metadata.resourceVersion}` })) {
    seen.push([type, object.spec?.token?.length])
    if (type === 'DELETED') break
  }
  expect(seen).toEqual([
    ['ADDED', 13],
    ['MODIFIED', 200_000],
    ['DELETED', 200_000],
  ])
})

test('a watch may begin with what is there, and see metadata alone', async () => {
  await widgets().create(widget('a'))
  const options = { namespace, sendInitialEvents: true, allowBookmarks: true, metadataOnly: true }
  for await (const { type, object } of widgets().watch(options)) {
    expect(object.kind).toBe('PartialObjectMetadata')
    expect(object.spec).toBeUndefined()
    if (type === 'BOOKMARK') break
  }
})

test('a watch that is refused throws what the server said, an aborted one its reason', async () => {
  const watch = async (options: object) => {
    for await (const _ of widgets().watch({ namespace, ...options }));
  }
  await expect(watch({ labelSelector: '!!' })).rejects.toSatisfy((error) => isStatusError(error, 'BadRequest'))
  const abort = new AbortController()
  const watching = watch({ signal: abort.signal }).catch((error: unknown) => error)
  await widgets().create(widget('a'))
  abort.abort('enough')
  expect(await watching).toBe('enough')
})

test('a kind that is defined now is served now, and not served when it is gone', async () => {
  const { client } = served
  const plots = client.resource(`plots.${GROUP}/v1`, 'Plot')
  await expect(plots.list()).rejects.toThrow('does not serve Plot')
  const definition = structuredClone(widgetDefinition) as never as { spec: object }
  const definitions = client.resourceOf<ApiObject & { status?: { conditions?: { type: string; status: string }[] } }>(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
  )
  const names = { plural: 'plots', singular: 'plot', kind: 'Plot', listKind: 'PlotList' }
  const spec = { ...definition.spec, names, group: `plots.${GROUP}` }
  const name = `plots.plots.${GROUP}`
  await definitions.create({ metadata: { name }, spec } as object)
  const options = { fieldSelector: `metadata.name=${name}`, resourceVersion: '0' }
  for await (const { object } of definitions.watch(options)) {
    if (object.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True')) break
  }
  expect((await plots.list()).items).toEqual([])
  expect(await plots.info()).toMatchObject({ resource: 'plots', namespaced: true, subresources: ['status'] })
  const { metadata } = await definitions.get({ name })
  await definitions.delete({ name })
  const after = { ...options, resourceVersion: `${metadata.resourceVersion}` }
  for await (const { type } of definitions.watch(after)) if (type === 'DELETED') break
  await expect(plots.list()).rejects.toSatisfy((error) => isStatusError(error, 'NotFound'))
  await expect(plots.list()).rejects.toThrow('does not serve Plot')
})

test('any path can be asked for', async () => {
  expect(await served.client.requestJson({ method: 'GET', path: '/version' })).toHaveProperty('gitVersion')
  const answer = await served.client.request({ method: 'GET', path: '/healthz' })
  const chunks = await Array.fromAsync(answer.body)
  expect(Buffer.concat(chunks).toString()).toBe('ok')
})
