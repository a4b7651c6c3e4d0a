import {
  type ApiObject,
  type Client,
  createInformers,
  type InformerEvent,
  type Informers,
  type InformersOptions,
  type LooseObject,
} from '@homeostat/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ServedClient, servedClient } from '../served-client.ts'

interface ConfigMap extends ApiObject {
  data?: Record<string, string>
}

let served: ServedClient
let client: Client

beforeAll(async () => {
  served = await servedClient()
  client = served.client
})
afterAll(() => served.close())

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
  informer: { subscribe(onChange: (change: InformerEvent<T>) => void): () => void },
  wanted: (change: InformerEvent<T>) => boolean,
): Promise<InformerEvent<T>> {
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

  it('waits for a custom kind, hears of its objects until it is deleted, and again when it is back', async () => {
    const troubles: string[] = []
    const informers = informersForTest({
      backoff: { min: '5ms', max: '20ms' },
      onTrouble: ({ message }) => troubles.push(message),
    })
    const informer = informers.open('example.net/v1', 'Gadget')
    const told: string[] = []
    informer.subscribe(({ type, object }) => told.push(`${type} ${object.metadata.name}`))
    const definitions = client.resource('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
    const gadgets = client.resource('example.net/v1', 'Gadget')
    for (const name of ['one', 'two']) {
      const gone = changeOf(informer, ({ type, object }) => type === 'deleted' && object.metadata.name === name)
      const there = changeOf(informer, ({ type, object }) => type === 'added' && object.metadata.name === name)
      await define()
      await gadgets.create({ metadata: { name, namespace: 'default' } })
      await there
      await definitions.delete({ name: 'gadgets.example.net' })
      await gone
      await untilGone()
    }
    expect(told).toEqual(['added one', 'deleted one', 'added two', 'deleted two'])
    expect(troubles.some((text) => text.includes('does not serve Gadget'))).toBe(true)
  })

  it('holds metadata alone when that is all that is wanted', async () => {
    const namespace = await freshNamespace()
    await maps().create({ metadata: { name: 'large', namespace }, data: { a: 'b' } })
    const informer = informersForTest().open<ConfigMap>('v1', 'ConfigMap', { namespace, metadataOnly: true })
    await informer.whenSynced()
    const object = informer.get({ namespace, name: 'large' })
    expect(object).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large', namespace } })
    expect(Object.keys(object ?? {})).toEqual(['apiVersion', 'kind', 'metadata'])
  })
})

async function define(): Promise<void> {
  const definitions = client.resource('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
  const schema = { openAPIV3Schema: { type: 'object' } }
  await definitions.create({
    metadata: { name: 'gadgets.example.net' },
    spec: {
      group: 'example.net',
      scope: 'Namespaced',
      names: { plural: 'gadgets', kind: 'Gadget' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  })
  await definitionIs(
    ({ status }) =>
      status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true,
  )
}

async function untilGone(): Promise<void> {
  await definitionIs(undefined)
}

/** Waits until the definition is as wanted, or gone. */
async function definitionIs(wanted: ((definition: LooseObject) => boolean) | undefined): Promise<void> {
  const definitions = client.resourceOf<LooseObject>('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
  const fieldSelector = 'metadata.name=gadgets.example.net'
  const { metadata, items } = await definitions.list({ fieldSelector })
  if (wanted === undefined ? items.length === 0 : items.some(wanted)) return
  const { resourceVersion = '' } = metadata
  for await (const { type, object } of definitions.watch({ fieldSelector, resourceVersion })) {
    if (wanted === undefined ? type === 'DELETED' : wanted(object)) return
  }
}
