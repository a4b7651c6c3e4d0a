import { expect, test } from 'vitest'
import { type ScriptedResponse, scriptedTransport } from '../../test/scripted-transport.ts'
import { createClient } from '../create-client.ts'

const CORE = {
  kind: 'APIGroupDiscoveryList',
  items: [
    {
      metadata: {},
      versions: [
        { version: 'v1', resources: [{ resource: 'pods', responseKind: { kind: 'Pod' }, scope: 'Namespaced' }] },
      ],
    },
  ],
}
const EXPIRED = { status: 410, body: { kind: 'Status', reason: 'Expired', code: 410, metadata: { continue: 'other' } } }

/** The responses that follow discovery's. */
function pods(...answers: ScriptedResponse[]) {
  const transport = scriptedTransport({ body: CORE }, ...answers)
  const paths = () => transport.sent.slice(1).map(({ path }) => path)
  return { pods: createClient(transport).resourceOf<Pod>('v1', 'Pod'), paths }
}

interface Pod {
  apiVersion: string
  kind: string
  metadata: { name?: string }
}

const page = (name: string, token?: string): ScriptedResponse => ({
  body: {
    kind: 'PodList',
    metadata: { resourceVersion: '5', ...(token && { continue: token }) },
    items: [{ metadata: { name } }],
  },
})

test('a list is read by pages, and its items say what they are', async () => {
  const { pods: client, paths } = pods(page('a', 't1'), page('b', 't2'), page('c'))
  const { items, metadata } = await client.list({ namespace: 'ns', resourceVersion: '3' })
  expect(items).toEqual(['a', 'b', 'c'].map((name) => ({ metadata: { name }, apiVersion: 'v1', kind: 'Pod' })))
  expect(metadata).toEqual({ resourceVersion: '5' })
  expect(paths()).toEqual([
    '/api/v1/namespaces/ns/pods?limit=500&resourceVersion=3',
    '/api/v1/namespaces/ns/pods?limit=500&continue=t1',
    '/api/v1/namespaces/ns/pods?limit=500&continue=t2',
  ])
})

test('a list whose pages expired starts again, without pages', async () => {
  const { pods: client, paths } = pods(page('a', 't1'), EXPIRED, page('all'))
  const { items } = await client.list({ labelSelector: 'x' })
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['all'])
  expect(paths().at(-1)).toBe('/api/v1/pods?labelSelector=x')
})

test('a list that expired at its first page is an error, as is any other failure on the way', async () => {
  await expect(pods(EXPIRED).pods.list()).rejects.toMatchObject({ code: 410 })
  await expect(pods(page('a', 't1'), { status: 500 }).pods.list()).rejects.toMatchObject({ code: 500 })
})

test('pages can be had one at a time', async () => {
  const { pods: client, paths } = pods(page('a', 't1'), page('b', 't2'))
  for await (const { items } of client.pages({ limit: 1 })) {
    if (items[0]?.metadata.name === 'b') break
  }
  expect(paths()).toHaveLength(2)
  const expiring = async () => {
    for await (const _ of pods(page('a', 't1'), EXPIRED).pods.pages());
  }
  await expect(expiring()).rejects.toMatchObject({ code: 410 })
})

test('an object of another kind is not sent', async () => {
  const { pods: client, paths } = pods({})
  await expect(client.create({ kind: 'Site', metadata: { name: 'a' } })).rejects.toThrow('client of v1 Pod')
  expect(paths()).toEqual([])
})

test('an empty list of Go has no items', async () => {
  expect(await pods({ body: { kind: 'PodList', metadata: {}, items: null } }).pods.list()).toMatchObject({ items: [] })
})
