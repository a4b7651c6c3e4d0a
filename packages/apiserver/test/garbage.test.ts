import { parseRun, RUN_ANNOTATION } from '@homeostat/meta/events'
import { MemoryStore } from '@homeostat/store'
import { afterAll, describe, expect, it } from 'vitest'
import type { Body } from './body.ts'
import { CONFIG_MAPS, configMap, GROUP, PLANETS, planet, planets, WIDGETS, widget, widgets } from './definitions.ts'
import { serve, serveForTest, type TestServer } from './server.ts'

const server = await serve()
afterAll(() => server.close())
await server.define(widgets)
await server.define(planets)
await server.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })

const held = { finalizers: ['example.com/hold'] }

function owner(of: Body, more: object = {}): object {
  return { apiVersion: of.apiVersion, kind: of.kind, name: of.metadata.name, uid: of.metadata.uid, ...more }
}

async function make(name: string, metadata: object = {}, on: TestServer = server): Promise<Body> {
  const { status, text, body } = await on.post(WIDGETS, widget(name, {}, metadata))
  if (status !== 201) throw new Error(text)
  return body
}

function child(name: string, ...owners: object[]): Promise<Body> {
  return make(name, { ownerReferences: owners })
}

/** A marker object: when the collector has deleted it, it has processed everything before it. */
async function collected(): Promise<void> {
  const name = `last-${Math.random().toString(36).slice(2)}`
  await child(name, { apiVersion: 'v1', kind: 'ConfigMap', name: 'never-was', uid: 'never-was' })
  await server.gone(`${WIDGETS}/${name}`)
}

const at = (name: string) => `${WIDGETS}/${name}`

describe('an object whose owner is deleted', () => {
  it('goes after it, and so do its own dependents', async () => {
    const top = await make('top')
    const middle = await child('middle', owner(top))
    await child('bottom', owner(middle))
    expect((await server.delete(at('top'))).body.status).toBe('Success')
    await server.gone(at('middle'))
    await server.gone(at('bottom'))
  })

  it('stays when it has another, and loses the reference', async () => {
    const [one, two] = [await make('one'), await make('two')]
    await child('shared', owner(one), owner(two))
    await server.delete(at('one'))
    const left = await server.until(at('shared'), (seen) => ownersOf(seen).length === 1)
    expect(left.metadata).toMatchObject({ ownerReferences: [{ name: 'two' }] })
    await server.delete(at('two'))
    await server.gone(at('shared'))
  })

  it('goes with an owner of the cluster, and of a built-in kind', async () => {
    const { body: world } = await server.post(PLANETS, planet('world'))
    const { body: map } = await server.post(CONFIG_MAPS, configMap('map', {}, { ownerReferences: [owner(world)] }))
    await child('mapped', owner(map))
    await server.delete(`${PLANETS}/world`)
    await server.gone(`${CONFIG_MAPS}/map`)
    await server.gone(at('mapped'))
  })

  it('is let go of when dependents are to be orphaned', async () => {
    const parent = await make('parent')
    await child('orphaned', owner(parent, { blockOwnerDeletion: true }))
    const { status, body } = await server.delete(at('parent'), { propagationPolicy: 'Orphan' })
    expect(status).toBe(200)
    expect(body.metadata).toMatchObject({ finalizers: ['orphan'], deletionGracePeriodSeconds: 0 })
    await server.gone(at('parent'))
    expect((await server.get(at('orphaned'))).body.metadata).not.toHaveProperty('ownerReferences')
  })
})

function ownersOf({ metadata }: Body): unknown[] {
  return (metadata as { ownerReferences?: unknown[] }).ownerReferences ?? []
}

describe('an owner that is deleted in the foreground', () => {
  it('goes last, after those that block it', async () => {
    const parent = await make('fore')
    await make('blocking', { ...held, ownerReferences: [owner(parent, { blockOwnerDeletion: true })] })
    await make('loose', { ownerReferences: [owner(parent)] })
    const { body } = await server.delete(at('fore'), { propagationPolicy: 'Foreground' })
    expect(body.metadata.finalizers).toEqual(['foregroundDeletion'])
    await server.until(at('blocking'), ({ metadata }) => metadata.deletionTimestamp !== undefined)
    await server.gone(at('loose'))
    await collected()
    expect((await server.get(at('fore'))).status).toBe(200)
    await server.patch(at('blocking'), { metadata: { finalizers: null } })
    await server.gone(at('fore'))
  })

  it('does not wait for those that do not block, or have another owner', async () => {
    const parent = await make('patient')
    const second = await make('second')
    await make('lingering', { ...held, ownerReferences: [owner(parent)] })
    await child('common', owner(parent, { blockOwnerDeletion: true }), owner(second))
    await server.delete(at('patient'), { propagationPolicy: 'Foreground' })
    await server.gone(at('patient'))
    expect((await server.get(at('common'))).body.metadata).toMatchObject({ ownerReferences: [{ name: 'second' }] })
    expect((await server.get(at('lingering'))).status).toBe(200)
    await server.patch(at('lingering'), { metadata: { finalizers: null } })
  })

  it('takes its dependents and theirs with it, the last first', async () => {
    const top = await make('grand')
    const middle = await child('father', owner(top, { blockOwnerDeletion: true }))
    await child('son', owner(middle, { blockOwnerDeletion: true }))
    const changes = await server.watch(`${WIDGETS}?resourceVersion=${middle.metadata.resourceVersion}`)
    await server.delete(at('grand'), { propagationPolicy: 'Foreground' })
    const events = await changes.until(({ type, object }) => type === 'DELETED' && object.metadata.name === 'grand')
    const gone = events.filter(({ type }) => type === 'DELETED').map(({ object }) => object.metadata.name)
    expect(gone).toEqual(['son', 'father', 'grand'])
  })

  it('goes even when the dependents make a circle', async () => {
    const first = await make('ring-0')
    const second = await child('ring-1', owner(first, { blockOwnerDeletion: true }))
    const third = await child('ring-2', owner(second, { blockOwnerDeletion: true }))
    await server.patch(at('ring-0'), {
      metadata: { ownerReferences: [owner(third, { blockOwnerDeletion: true })] },
    })
    await server.delete(at('ring-0'), { propagationPolicy: 'Foreground' })
    for (const name of ['ring-0', 'ring-1', 'ring-2']) await server.gone(at(name))
  })

  it('can be changed by a second DELETE', async () => {
    const parent = await make('changed')
    await make('stuck', { ...held, ownerReferences: [owner(parent, { blockOwnerDeletion: true })] })
    await server.delete(at('changed'), { propagationPolicy: 'Foreground' })
    expect((await server.delete(at('changed'))).body.metadata.finalizers).toEqual(['foregroundDeletion'])
    expect((await server.delete(at('changed'), { propagationPolicy: 'Background' })).body.status).toBe('Success')
    expect((await server.get(at('changed'))).status).toBe(404)
    await server.patch(at('stuck'), { metadata: { finalizers: null } })
  })
})

describe('a reference that leads nowhere', () => {
  it('counts as an owner that is gone: another uid, another name, another kind', async () => {
    const real = await make('real')
    await child('wrong-uid', owner(real, { uid: 'made-up' }))
    await child('wrong-name', owner(real, { name: 'made-up' }))
    await child('wrong-kind', owner(real, { apiVersion: 'v1', kind: 'Secret' }))
    for (const name of ['wrong-uid', 'wrong-name', 'wrong-kind']) await server.gone(at(name))
  })

  it('into another namespace counts as gone, and is warned of', async () => {
    const real = await make('far-away')
    const path = WIDGETS.replace('default', 'other')
    await server.post(path, { ...widget('near'), metadata: { name: 'near', ownerReferences: [owner(real)] } })
    await server.gone(`${path}/near`)
    const { body } = await server.get('/api/v1/namespaces/other/events')
    const warnings = (body.items as { type?: string }[]).filter(({ type }) => type === 'Warning')
    expect(warnings).toMatchObject([
      {
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        involvedObject: { kind: 'Widget', name: 'near', namespace: 'other' },
        message: `ownerRef [${GROUP}/v1/Widget, namespace: other, name: far-away, uid: ${real.metadata.uid}] does not exist in namespace "other"`,
      },
    ])
  })

  it('is told in an Event of the run that followed it', async () => {
    const real = await make('told-owner')
    await child('told', owner(real))
    await server.delete(at('told-owner'))
    await server.gone(at('told'))
    const told = async () => {
      const { body } = await server.get('/api/v1/namespaces/default/events')
      const all = body.items as unknown as {
        reason: string
        involvedObject: { name: string }
        metadata: Body['metadata']
      }[]
      const event = all.find(
        ({ reason, involvedObject }) => reason === 'GarbageCollected' && involvedObject.name === 'told',
      )
      return parseRun(event?.metadata.annotations?.[RUN_ANNOTATION] as string | undefined)
    }
    await expect.poll(told).toMatchObject({
      triggers: [{ text: 'its owner Widget told-owner is gone', object: { kind: 'Widget', name: 'told-owner' } }],
      writes: [{ did: 'deleted', object: { kind: 'Widget', namespace: 'default', name: 'told' } }],
    })
  })

  it('from the cluster into a namespace is left alone', async () => {
    const real = await make('inside')
    const { body } = await server.post(PLANETS, {
      ...planet('lost'),
      metadata: { name: 'lost', ownerReferences: [owner(real)] },
    })
    await collected()
    await server.delete(at('inside'))
    await collected()
    expect((await server.get(`${PLANETS}/lost`)).body.metadata.resourceVersion).toBe(body.metadata.resourceVersion)
  })

  it('to a kind that nobody serves is left alone until somebody does', async () => {
    const gadget = { apiVersion: 'late.example.com/v1', kind: 'Gadget', name: 'g', uid: 'u' }
    await child('early', gadget)
    await collected()
    expect((await server.get(at('early'))).status).toBe(200)
    await server.define(gadgets)
    await server.gone(at('early'))
  })

  it('to a kind that went away with its objects counts as gone', async () => {
    const { body } = await server.post('/apis/late.example.com/v1/namespaces/default/gadgets', {
      apiVersion: 'late.example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'g' },
    })
    await child('survivor', owner(body))
    await server.delete('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.late.example.com')
    await server.gone(at('survivor'))
  })
})

const gadgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.late.example.com' },
  spec: {
    group: 'late.example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
}

it('answers 202 only to who asks for deleted dependents in the old way', async () => {
  await make('old-way', held)
  expect((await server.delete(at('old-way'), { orphanDependents: false })).status).toBe(202)
  expect((await server.delete(at('old-way'), { propagationPolicy: 'Foreground' })).status).toBe(200)
  await server.patch(at('old-way'), { metadata: { finalizers: null } })
})

it('carries out a policy for every object of a collection', async () => {
  const parent = await make('collected', { labels: { set: 'them' } })
  await child('kept', owner(parent))
  const query = '?labelSelector=set%3Dthem&propagationPolicy=Orphan'
  expect((await server.delete(`${WIDGETS}${query}`)).body.items).toHaveLength(1)
  await server.gone(at('collected'))
  expect((await server.get(at('kept'))).body.metadata).not.toHaveProperty('ownerReferences')
})

describe('a restart', () => {
  it('finishes what was begun before it', async () => {
    const store = Object.assign(new MemoryStore(), { close: async () => {} })
    const first = await serve({ store })
    await first.define(widgets)
    const parent = await make('parent', {}, first)
    const block = { ownerReferences: [owner(parent, { blockOwnerDeletion: true })] }
    await make('waits', { ...held, ...block }, first)
    await first.delete(at('parent'), { propagationPolicy: 'Foreground' })
    await first.until(at('waits'), ({ metadata }) => metadata.deletionTimestamp !== undefined)
    await make('solid', {}, first)
    await first.close()
    const second = await serveForTest({ store })
    expect((await second.get(at('parent'))).status).toBe(200)
    await second.patch(at('waits'), { metadata: { finalizers: null } })
    await second.gone(at('parent'))
    expect((await second.get(at('solid'))).status).toBe(200)
  })
})
