import { afterEach, beforeEach, expect, test } from 'vitest'
import { configMap, type MemoryApi, memoryApi, namespace } from '../controllers/memory-api.ts'
import { SHARDS, shardApi, shardDuty, shardOf } from './shards.ts'

const NAMESPACES = { group: '', resource: 'namespaces' }
const CONFIG_MAPS = { group: '', resource: 'configmaps' }
const NODES = { group: '', resource: 'nodes' }
const NAMES = Array.from({ length: 40 }, (_, at) => `team-${at}`)

let server: MemoryApi

beforeEach(async () => {
  server = await memoryApi()
  for (const name of NAMES) {
    await server.api.create(NAMESPACES, namespace(name))
    await server.api.create(CONFIG_MAPS, configMap(name, 'a'))
  }
})

afterEach(() => server.close())

test('every namespace belongs to one shard, for ever', () => {
  expect(NAMES.slice(0, 8).map(shardOf)).toMatchInlineSnapshot(`
    [
      13,
      9,
      2,
      0,
      7,
      6,
      12,
      15,
    ]
  `)
  expect(new Set(NAMES.map(shardOf)).size).toBeGreaterThan(10)
  expect(shardDuty('queue', undefined)).toBe(shardDuty('queue', 'default'))
})

test('the shards together show everything once', async () => {
  await server.api.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'one' } })
  const apis = Array.from({ length: SHARDS }, (_, shard) => shardApi(server.api, shard))
  for (const resource of [NAMESPACES, CONFIG_MAPS, NODES]) {
    const all = server.api.names(resource, undefined, 1000).map((name) => JSON.stringify(name))
    const listed = apis.flatMap((api) => api.names(resource, undefined, 1000).map((name) => JSON.stringify(name)))
    expect(listed.sort()).toEqual(all.sort())
    expect(apis.reduce((sum, api) => sum + api.count(resource), 0)).toBe(all.length)
    expect(apis.flatMap((api) => api.list(resource))).toHaveLength(all.length)
    expect(apis.flatMap((api) => [...api.objects(resource)])).toHaveLength(all.length)
  }
})

test('a shard hears of its own, from the start and later, and reads whatever it names', async () => {
  const shard = shardOf('team-1')
  const api = shardApi(server.api, shard)
  const own = NAMES.filter((name) => shardOf(name) === shard)
  const subscribed: string[] = []
  const followed: string[] = []
  const stops = [
    api.subscribe(CONFIG_MAPS, (event) => subscribed.push(event.namespace ?? '')),
    api.follow('all', ({ object }) => followed.push(object?.name ?? '')),
  ]
  expect(subscribed.sort()).toEqual([...own].sort())
  for (const name of NAMES) await api.create(CONFIG_MAPS, configMap(name, 'b'))
  expect(followed).toEqual(own.map((name) => `${name}/b`))
  for (const stop of stops) stop()
  const other = NAMES.find((name) => shardOf(name) !== shard) as string
  expect(api.get(CONFIG_MAPS, { namespace: other, name: 'a' })).toBeDefined()
  expect([api.list(CONFIG_MAPS, other).length, api.count(CONFIG_MAPS, other)]).toEqual([2, 2])
})
