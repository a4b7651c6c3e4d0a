import { ManualClock, silentLog } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configMap, type MemoryApi, memoryApi, namespace } from './memory-api.ts'
import { NamespaceController } from './namespace-controller.ts'

const NAMESPACES = { group: '', resource: 'namespaces' }
const CONFIG_MAPS = { group: '', resource: 'configmaps' }
const SECRETS = { group: '', resource: 'secrets' }
const PODS = { group: '', resource: 'pods' }
const failures: object[] = []

let server: MemoryApi
const ending = { controller: new AbortController(), running: Promise.resolve() }

beforeEach(async () => {
  failures.length = 0
  server = await memoryApi()
  start()
})

afterEach(async () => {
  await stop()
  await server.close()
  expect(failures).toEqual([])
})

function start(): void {
  ending.controller = new AbortController()
  const log = { ...silentLog, error: (fields: object) => failures.push(fields) }
  // The clock stands still: every reconcile is caused by an event, never by a timer.
  const clock = new ManualClock(Date.now())
  ending.running = new NamespaceController({ ...server, log, clock }).start(ending.controller.signal)
}

async function stop(): Promise<void> {
  ending.controller.abort()
  await ending.running
}

function gone(name: string): Promise<true> {
  return server.until(NAMESPACES, () => server.api.get(NAMESPACES, { name }) === undefined)
}

function secret(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'n' } }
}

describe('the namespace controller', () => {
  it('deletes the content of a deleted namespace, and nothing else', async () => {
    await Promise.all(['n', 'other'].map((name) => server.api.create(NAMESPACES, namespace(name))))
    await Promise.all(Array.from({ length: 100 }, (_, i) => server.api.create(CONFIG_MAPS, configMap('n', `c${i}`))))
    await server.api.create(CONFIG_MAPS, configMap('other', 'c'))
    await server.api.create(SECRETS, secret('s'))
    await server.api.delete(NAMESPACES, { name: 'n' })
    await gone('n')
    expect(server.api.count(CONFIG_MAPS)).toBe(1)
    expect(server.api.count(SECRETS)).toBe(0)
  })

  it('waits for content with finalizers and reports it, then goes on at once', async () => {
    await server.api.create(NAMESPACES, namespace('n'))
    await server.api.create(CONFIG_MAPS, configMap('n', 'held', { finalizers: ['example.com/hold'] }))
    await server.api.delete(NAMESPACES, { name: 'n' })
    const reported = await server.until(NAMESPACES, () => {
      const status = server.api.get(NAMESPACES, { name: 'n' })?.status as { conditions?: object[] } | undefined
      return status?.conditions
    })
    expect(reported).toContainEqual(expect.objectContaining({ type: 'NamespaceFinalizersRemaining', status: 'True' }))
    // By the time the next namespace is gone, the controller has seen that it can only wait.
    await server.api.create(NAMESPACES, namespace('later'))
    await server.api.delete(NAMESPACES, { name: 'later' })
    await gone('later')
    expect(server.api.get(NAMESPACES, { name: 'n' })).toBeDefined()
    const held = server.api.get(CONFIG_MAPS, { namespace: 'n', name: 'held' })
    expect(held?.metadata.deletionTimestamp).toBeDefined()
    await server.api.update(CONFIG_MAPS, { ...configMap('n', 'held'), metadata: { ...held?.metadata, finalizers: [] } })
    await gone('n')
  })

  it('goes on after a restart', async () => {
    await server.api.create(NAMESPACES, namespace('n'))
    await server.api.create(CONFIG_MAPS, configMap('n', 'c'))
    await stop()
    await server.api.delete(NAMESPACES, { name: 'n' })
    expect(server.api.get(NAMESPACES, { name: 'n' })?.status).toEqual({ phase: 'Terminating' })
    start()
    await gone('n')
    expect(server.api.count(CONFIG_MAPS)).toBe(0)
  })

  it('leaves a namespace to the other finalizer that holds it', async () => {
    const spec = { finalizers: ['example.com/hold'] }
    await server.api.create(NAMESPACES, { ...namespace('n'), spec })
    await server.api.delete(NAMESPACES, { name: 'n' })
    const held = await server.until(NAMESPACES, () => {
      const found = server.api.get(NAMESPACES, { name: 'n' })
      return JSON.stringify(found?.spec) === JSON.stringify(spec) && found
    })
    await server.api.update(NAMESPACES, { ...held, spec: { finalizers: [] } }, 'finalize')
    await gone('n')
  })

  it('deletes pods first, and what they use when the last is gone', async () => {
    await server.api.create(NAMESPACES, namespace('n'))
    await server.api.create(CONFIG_MAPS, configMap('n', 'used'))
    const metadata = { namespace: 'n', name: 'p', finalizers: ['example.com/hold'] }
    const spec = { containers: [{ name: 'c', image: 'i' }] }
    await server.api.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata, spec })
    await server.api.delete(NAMESPACES, { name: 'n' })
    const reported = await server.until(NAMESPACES, () => {
      const found = server.api.get(NAMESPACES, { name: 'n' })
      return JSON.stringify(found?.status).includes('pods. has 1 resource instances') && found
    })
    expect(reported.metadata.deletionTimestamp).toBeDefined()
    expect(server.api.count(CONFIG_MAPS, 'n')).toBe(1)
    await server.api.change(PODS, { namespace: 'n', name: 'p' }, (pod) => {
      delete pod.metadata.finalizers
    })
    await gone('n')
    expect(server.api.count(CONFIG_MAPS, 'n')).toBe(0)
  })

  it('can make the same namespace again', async () => {
    for (let round = 0; round < 3; round++) {
      await server.api.create(NAMESPACES, namespace('n'))
      await server.api.create(CONFIG_MAPS, configMap('n', 'c'))
      await server.api.delete(NAMESPACES, { name: 'n' })
      await gone('n')
    }
  })
})
