// A record whose bytes were changed on disk: whoever needs it is told so, by its key; everything else is served; and
// deleting it is the way out.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@homeostat/base/testing/eventually'
import type { SqliteStoreOptions } from '@homeostat/store'
import { expect, test } from 'vitest'
import { homeostat } from '../command-line.ts'
import { call } from '../http-call.ts'
import { WatchReader } from '../watch-reader.ts'
import { widget, widgetPath } from '../widgets.ts'
import { FaultyServer, NAMESPACE, namesOf } from './faulty-server.ts'

const KEY = 'test.homeostat.dev/widgets/default/m-damaged'
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1'
const partial = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

/** Objects around one damaged one: before and after it, and in another namespace. */
async function damagedServer(options: Partial<SqliteStoreOptions> = {}): Promise<FaultyServer> {
  const server = await FaultyServer.start()
  await call(`${server.url}/api/v1/namespaces`, 'POST', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'elsewhere' },
  })
  const labels = { color: 'red' }
  for (const name of ['a-first', 'm-damaged', 'z-last'])
    await call(
      server.url + widgetPath(NAMESPACE),
      'POST',
      widget(name, { metadata: { name, labels }, spec: { token: `token-of-${name}` } }),
    )
  await server.create('other', {}, 'elsewhere')
  return restartDamaged(server, 'token-of-m-damaged', options)
}

/** Changes every copy of the text in the data files while no server uses them. */
async function restartDamaged(
  server: FaultyServer,
  text: string,
  options: Partial<SqliteStoreOptions> = {},
): Promise<FaultyServer> {
  await server.close()
  let changed = 0
  for (const name of readdirSync(server.directory)) {
    const file = join(server.directory, name)
    const bytes = readFileSync(file)
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
      bytes[at] = (bytes[at] ?? 0) ^ 1
      changed++
    }
    writeFileSync(file, bytes)
  }
  expect(changed).toBeGreaterThan(0)
  return FaultyServer.start({ directory: server.directory, ...options })
}

/** Reads one line of a stream and lets go of the rest. */
async function firstEvent(response: Response): Promise<unknown> {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk)
    if (text.includes('\n')) break
  }
  return JSON.parse(text.split('\n')[0] ?? '')
}

const namesKey = { code: 500, body: { kind: 'Status', message: expect.stringContaining(KEY) } }

test('reading the damaged object, or a list with it, is an error that names it', async () => {
  const server = await damagedServer()
  expect(await server.get('m-damaged')).toMatchObject(namesKey)
  expect(await server.list()).toMatchObject(namesKey)
  expect(await server.list('', undefined)).toMatchObject(namesKey)
  expect(await server.list('labelSelector=color%3Dred')).toMatchObject(namesKey)
  expect(await server.list('labelSelector=color%3Dblue')).toMatchObject(namesKey)
  expect(await server.list('fieldSelector=metadata.name%3Dm-damaged')).toMatchObject(namesKey)
  for (const accept of [table, partial, 'application/yaml']) {
    const response = await fetch(server.url + widgetPath(NAMESPACE), { headers: { accept } })
    expect(response.status).toBe(500)
    expect(await response.text()).toContain(KEY)
  }
  for (const [method, body] of [
    ['PATCH', { spec: { size: 1 } }],
    ['PUT', widget('m-damaged', { metadata: { name: 'm-damaged', resourceVersion: '5' } })],
  ] as const)
    expect(await call(server.url + widgetPath(NAMESPACE, 'm-damaged'), method, body)).toMatchObject(namesKey)
  expect((await server.create('m-damaged')).code).toBe(409)
})

test('a watch that must show it ends with the error; one from now on goes on', async () => {
  const server = await damagedServer()
  const fromStart = await call(`${server.url}${widgetPath(NAMESPACE)}?watch=1&timeoutSeconds=5`)
  const last = JSON.parse(fromStart.text.trim().split('\n').at(-1) ?? '')
  expect(last).toMatchObject({ type: 'ERROR', object: { code: 500, message: expect.stringContaining(KEY) } })
  const before = (await server.get('a-first')).body.metadata.resourceVersion
  const over = await call(`${server.url}${widgetPath(NAMESPACE)}?watch=1&resourceVersion=${before}&timeoutSeconds=5`)
  const expired = { code: 410, reason: 'Expired', message: expect.stringContaining(KEY) }
  expect(JSON.parse(over.text)).toMatchObject({ type: 'ERROR', object: expired })
  const from = (await server.list('', 'elsewhere')).body.metadata.resourceVersion
  const watching = await fetch(`${server.url}${widgetPath(NAMESPACE)}?watch=1&resourceVersion=${from}`)
  await server.create('new')
  expect(await firstEvent(watching)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'new' } } })
})

test('everything that does not need it is served', async () => {
  const server = await damagedServer()
  expect((await server.get('a-first')).code).toBe(200)
  expect((await server.get('z-last')).code).toBe(200)
  expect(namesOf((await server.list('', 'elsewhere')).body.items ?? [])).toEqual(['other'])
  expect(namesOf((await server.list('limit=1')).body.items ?? [])).toEqual(['a-first'])
  expect(namesOf((await server.list('fieldSelector=metadata.name%3Da-first')).body.items ?? [])).toEqual(['a-first'])
  expect((await server.create('new')).code).toBe(201)
  const patch = await call(server.url + widgetPath(NAMESPACE, 'z-last'), 'PATCH', { spec: { size: 3 } })
  expect(patch).toMatchObject({ code: 200, body: { spec: { size: 3 } } })
  expect(await server.ready()).toBe('ok')
})

test('deleting it is the way out, and every kind of watcher hears of it', async () => {
  const server = await damagedServer()
  const from = (await server.list('', 'elsewhere')).body.metadata.resourceVersion
  const watch = `${server.url}${widgetPath(NAMESPACE)}?watch=1&resourceVersion=${from}`
  const open = async (query: string, accept = 'application/json') => {
    const response = await fetch(watch + query, { headers: { accept } })
    return () => firstEvent(response)
  }
  const [plain, labelled, tabular, metadataOnly] = await Promise.all([
    open(''),
    open('&labelSelector=color%3Dred'),
    open('', table),
    open('', 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'),
  ])
  const feed = new WatchReader({ path: '/watch', from: Number(from), serverSent: true })
  const watching = new AbortController()
  const following = feed.follow(server.url, watching.signal)
  expect((await server.delete('m-damaged')).code).toBe(200)
  expect(await server.names()).toEqual(['a-first', 'z-last'])
  const metadata = { name: 'm-damaged', namespace: NAMESPACE, resourceVersion: String(await server.store.revision()) }
  const apiVersion = 'test.homeostat.dev/v1'
  expect(await plain()).toMatchObject({ type: 'DELETED', object: { apiVersion, kind: 'Widget', metadata } })
  expect(await labelled()).toMatchObject({ type: 'DELETED', object: { metadata } })
  expect(await tabular()).toMatchObject({
    type: 'DELETED',
    object: { kind: 'Table', rows: [{ object: { metadata } }] },
  })
  expect(await metadataOnly()).toMatchObject({ type: 'DELETED', object: { kind: 'PartialObjectMetadata', metadata } })
  await feed.reached(Number(metadata.resourceVersion))
  expect(feed.events).toMatchObject([{ type: 'DELETED', object: { metadata } }])
  watching.abort()
  await following
  // From history, as a client that was away sees it.
  const replayed = await fetch(`${watch}&fieldSelector=metadata.name%3Dm-damaged`)
  expect(await firstEvent(replayed)).toMatchObject({ type: 'DELETED', object: { metadata } })
  expect((await server.create('m-damaged')).code).toBe(201)
})

test('all are deleted, the damaged one too, but none by what cannot be known of it', async () => {
  const server = await damagedServer()
  const selected = await call(`${server.url}${widgetPath(NAMESPACE)}?labelSelector=color%3Dblue`, 'DELETE')
  expect(selected).toMatchObject(namesKey)
  expect((await server.get('a-first')).code).toBe(200)
  expect((await call(server.url + widgetPath(NAMESPACE), 'DELETE')).code).toBe(200)
  expect(await server.names()).toEqual([])
})

test('a damaged namespace keeps nobody from starting, and only its own contents from being made', async () => {
  const first = await FaultyServer.start()
  await call(`${first.url}/api/v1/namespaces/${NAMESPACE}`, 'PATCH', { metadata: { annotations: { note: 'find-me' } } })
  await first.create('kept')
  const server = await restartDamaged(first, 'find-me')
  expect((await server.get('kept')).code).toBe(200)
  expect(await server.create('refused')).toMatchObject({
    code: 500,
    body: { message: expect.stringContaining('core/namespaces/default') },
  })
  const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'works' } }
  expect((await call(`${server.url}/api/v1/namespaces/kube-system/configmaps`, 'POST', other)).code).toBe(201)
})

test('a damaged definition keeps nobody from starting; deleted and made again it serves its objects', async () => {
  const first = await FaultyServer.start()
  const definitions = `${first.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`
  const gadgets = (await call(`${definitions}/widgets.test.homeostat.dev`)).body
  const spec = structuredClone(gadgets.spec) as { group: string; names: object }
  Object.assign(spec, {
    group: 'gadgets.homeostat.dev',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
  })
  const definition = {
    apiVersion: gadgets.apiVersion,
    kind: gadgets.kind,
    metadata: { name: 'gadgets.gadgets.homeostat.dev', annotations: { note: 'find-me' } },
    spec,
  }
  expect((await call(definitions, 'POST', definition)).code).toBe(201)
  const server = await restartDamaged(first, 'find-me')
  expect((await server.create('works')).code).toBe(201)
  const path = `${server.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`
  expect(await call(`${path}/${definition.metadata.name}`)).toMatchObject({
    code: 500,
    body: { message: expect.stringContaining(definition.metadata.name) },
  })
  expect((await call(`${path}/${definition.metadata.name}`, 'DELETE')).code).toBe(200)
  expect((await call(path, 'POST', definition)).code).toBe(201)
})

test('a damaged definition that the server is started with is made anew, and its objects are served', async () => {
  const first = await FaultyServer.start()
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.test.homeostat.dev'
  await call(first.url + path, 'PATCH', { metadata: { annotations: { note: 'find-me' } } })
  await first.create('kept')
  const server = await restartDamaged(first, 'find-me')
  expect((await call(server.url + path)).code).toBe(200)
  expect(await server.names()).toEqual(['kept'])
  expect((await server.create('new')).code).toBe(201)
})

test('a check in the background shows it to operators, and the server stays ready', async () => {
  const server = await damagedServer({ checkAfterMs: 0 })
  await until(async () => {
    const { code, text } = await call(`${server.url}/readyz?verbose`)
    expect([code, text]).toEqual([200, expect.stringContaining(`[!]records warns: 1 damaged record: ${KEY}: `)])
  })
  expect(await server.ready()).toBe('ok')
  expect((await call(`${server.url}/readyz/records`)).code).toBe(500)
  expect((await call(`${server.url}/metrics`)).text).toContain('homeostat_store_damaged_records 1\n')
})

test('homeostat check names it, with a server or without, and changes nothing', async () => {
  const server = await damagedServer()
  const line = new RegExp(`^revision \\d+, "${KEY}": the checksum of the record at revision \\d+ does not match$`, 'm')
  const running = await homeostat('check', '--data-dir', server.directory)
  expect(running).toMatchObject({ code: 1, stderr: '', stdout: expect.stringMatching(line) })
  expect(running.stdout).toMatch(/ records up to revision \d+ in .*: 1 damaged; objects whose newest/)
  expect((await server.create('meanwhile')).code).toBe(201)
  await server.close()
  const before = filesOf(server.directory)
  expect(await homeostat('check', '--data-dir', server.directory)).toMatchObject({ code: 1, stderr: '' })
  expect(filesOf(server.directory)).toEqual(before)
})

test('homeostat check of a sound store says so, and refuses a directory without one', async () => {
  const server = await FaultyServer.start()
  const sound = await homeostat('check', '--data-dir', server.directory)
  expect(sound).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^\d+ records up to .*all are sound\n$/),
  })
  const missing = await homeostat('check', '--data-dir', join(server.directory, 'none'))
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^homeostat: there is no data directory .*\n$/),
  })
})

function filesOf(directory: string): [string, string][] {
  return readdirSync(directory)
    .sort()
    .map((name) => [name, readFileSync(join(directory, name), 'latin1')])
}
