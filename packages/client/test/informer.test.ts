import { startApiServer } from '@homeostat/apiserver'
import { MemoryStore } from '@homeostat/store'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  type ApiObject,
  type Change,
  type Client,
  createClient,
  createInformers,
  type Informers,
  type InformersOptions,
} from '../src/index.ts'
import { nodeTransport } from '../src/node/index.ts'

interface ConfigMap extends ApiObject {
  data?: Record<string, string>
}

let url: string
let client: Client
let close: () => Promise<void>

beforeAll(async () => {
  const store = new MemoryStore()
  const server = await startApiServer({ host: '127.0.0.1', port: 0, logger: pino({ level: 'silent' }), store })
  url = `http://127.0.0.1:${server.address.port}`
  client = createClient(nodeTransport({ url }))
  close = async () => {
    client.close()
    await server.close()
    await store.close()
  }
})
afterAll(() => close())

let namespaces = 0
async function freshNamespace(): Promise<string> {
  const name = `ns-${namespaces++}`
  await client.resource('v1', 'Namespace').create({ metadata: { name } })
  await client.resource('v1', 'ConfigMap').create({ metadata: { name: 'first', namespace: name } })
  return name
}

function informersForTest(options: InformersOptions = {}): Informers {
  const informers = createInformers(client, options)
  onTestFinished(() => informers.close())
  return informers
}

function maps() {
  return client.resourceOf<ConfigMap>('v1', 'ConfigMap')
}

/** Resolves with the first change that is as wanted. */
function changeOf<T extends ApiObject>(
  informer: { subscribe(onChange: (change: Change<T>) => void): () => void },
  wanted: (change: Change<T>) => boolean,
): Promise<Change<T>> {
  return new Promise((resolve) => {
    const unsubscribe = informer.subscribe((change) => {
      if (!wanted(change)) return
      resolve(change)
      queueMicrotask(() => unsubscribe())
    })
  })
}

describe('an informer of a real server', () => {
  it('holds what is there without managed fields, and then every change', async () => {
    const namespace = await freshNamespace()
    const informer = informersForTest().open<ConfigMap>('v1', 'ConfigMap', { namespace })
    const told: string[] = []
    informer.subscribe(({ type, object, initial }) => told.push(`${type} ${object.metadata.name} ${initial}`))
    await informer.whenSynced()
    expect(informer.get({ namespace, name: 'first' })?.metadata.managedFields).toBeUndefined()
    expect(told).toContain('added first true')
    const deleted = changeOf(informer, ({ type, object }) => type === 'deleted' && object.metadata.name === 'first')
    await maps().patch({ namespace, name: 'first' }, { data: { a: '1' } })
    await maps().delete({ namespace, name: 'first' })
    expect((await deleted).previous?.data).toEqual({ a: '1' })
    expect(told.filter((line) => line.includes('first'))).toEqual([
      'added first true',
      'updated first false',
      'deleted first false',
    ])
  })

  it('shows own writes at once, and tells of them once', async () => {
    const namespace = await freshNamespace()
    const informer = informersForTest().open<ConfigMap>('v1', 'ConfigMap', { namespace })
    await informer.whenSynced()
    const told: string[] = []
    informer.subscribe(({ type, object }) => told.push(`${type} ${object.metadata.name}`))
    told.length = 0
    informer.wrote(await maps().create({ metadata: { name: 'own', namespace } }))
    expect(informer.get({ namespace, name: 'own' })).toBeDefined()
    const marker = changeOf(informer, ({ object }) => object.metadata.name === 'marker')
    await maps().create({ metadata: { name: 'marker', namespace } })
    await marker
    expect(told.filter((line) => !line.includes('kube-root-ca'))).toEqual(['added own', 'added marker'])
  })
})
