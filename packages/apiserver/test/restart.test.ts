import { MemoryStore } from '@homeostat/store'
import { expect, it, onTestFinished } from 'vitest'
import type { Body } from './body.ts'
import {
  CONFIG_MAPS,
  configMap,
  definition,
  GROUP,
  namespace,
  SECRETS,
  secret,
  version,
  WIDGETS,
  widget,
  widgets,
} from './definitions.ts'
import { DEFINITIONS, serve, type TestServer } from './server.ts'
import { story } from './watching.ts'

/** Starts servers on one store, one after the other. */
function starts(store = new MemoryStore()): () => Promise<TestServer> {
  let running: TestServer | undefined
  const kept = Object.assign(store, { close: async () => {} })
  onTestFinished(async () => running?.close())
  return async () => {
    await running?.close()
    running = await serve({ store: kept })
    return running
  }
}

it('serves everything as before: objects, definitions, versions to resume from', async () => {
  const start = starts()
  const first = await start()
  await first.define(widgets)
  const { body } = await first.post(WIDGETS, widget('kept', { size: 1 }, { labels: { a: 'b' } }))
  await first.patch(`${WIDGETS}/kept`, { spec: { size: 2 } })
  const list = (await first.get(WIDGETS)).body
  const discovered = (await first.get(`/apis/${GROUP}/v1`)).text
  const published = (await first.get('/openapi/v3')).text

  const second = await start()
  expect((await second.get(WIDGETS)).body.items).toEqual(list.items)
  expect((await second.get(`${WIDGETS}?labelSelector=a%3Db`)).body.items).toEqual(list.items)
  expect((await second.get(`/apis/${GROUP}/v1`)).text).toBe(discovered)
  expect((await second.get('/openapi/v3')).text).toBe(published)
  const changes = await second.watch(`${WIDGETS}?resourceVersion=${body.metadata.resourceVersion}`)
  expect(await changes.next()).toEqual({ type: 'MODIFIED', object: list.items[0] })
  const created = (await second.post(WIDGETS, widget('new'))).body
  expect(await changes.next()).toEqual({ type: 'ADDED', object: created })
  expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(Number(list.metadata.resourceVersion))
})

it('resumes a selection that objects entered and left in between', async () => {
  const start = starts()
  const first = await start()
  await first.post(CONFIG_MAPS, configMap('in', {}, { labels: { on: 'yes' } }))
  await first.post(CONFIG_MAPS, configMap('out', {}, { labels: { on: 'no' } }))
  const from = (await first.get(CONFIG_MAPS)).body.metadata.resourceVersion
  await first.patch(`${CONFIG_MAPS}/in`, { metadata: { labels: { on: 'no' } } })
  await first.patch(`${CONFIG_MAPS}/out`, { metadata: { labels: { on: 'yes' } } })
  await first.delete(`${CONFIG_MAPS}/out`)
  const second = await start()
  const changes = await second.watch(`${CONFIG_MAPS}?labelSelector=on%3Dyes&resourceVersion=${from}`)
  const events = [await changes.next(), await changes.next(), await changes.next()]
  expect(story(events)).toBe('DELETED in, ADDED out, DELETED out')
})

it('continues pages of a list that was begun before', async () => {
  const start = starts()
  const first = await start()
  for (const name of ['a', 'b', 'c']) await first.post(SECRETS, secret(name))
  const page = (await first.get(`${SECRETS}?limit=1`)).body
  await first.delete(`${SECRETS}/b`)
  const second = await start()
  const rest = (await second.get(`${SECRETS}?continue=${page.metadata.continue}`)).body
  expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(['b', 'c'])
  expect(rest.metadata.resourceVersion).toBe(page.metadata.resourceVersion)
})

it('shows old objects by a schema that changed since they were written', async () => {
  const start = starts()
  const first = await start()
  const integer = { type: 'integer' }
  await first.define(definition({ plural: 'plans', spec: { old: integer, kept: integer } }))
  const at = `/apis/${GROUP}/v1/namespaces/default/plans`
  const plan = { apiVersion: `${GROUP}/v1`, kind: 'Plan', metadata: { name: 'a' }, spec: { old: 1, kept: 2 } }
  const from = (await first.post(at, plan)).body.metadata.resourceVersion
  await first.patch(`${at}/a`, { metadata: { labels: { x: 'y' } } })
  const changed = { kept: integer, added: { ...integer, default: 3 } }
  const { versions } = (definition({ plural: 'plans', spec: changed }) as Body).spec
  await first.patch(`${DEFINITIONS}/plans.example.com`, { spec: { versions } })
  const second = await start()
  expect((await second.get(`${at}/a`)).body.spec).toEqual({ kept: 2, added: 3 })
  const changes = await second.watch(`${at}?resourceVersion=${Number(from) - 1}`)
  expect((await changes.next()).object.spec).toEqual({ kept: 2, added: 3 })
  expect((await changes.next()).object).toEqual((await second.get(`${at}/a`)).body)
  const exact = await second.get(`${at}?resourceVersion=${from}&resourceVersionMatch=Exact`)
  expect(exact.body.items[0]?.spec).toEqual({ kept: 2, added: 3 })
})

it('finishes what was being deleted', async () => {
  const start = starts()
  const first = await start()
  await first.define(widgets)
  await first.post('/api/v1/namespaces', namespace('closing'))
  const at = WIDGETS.replace('default', 'closing')
  await first.post(at, widget('last', {}, { finalizers: ['example.com/hold'] }))
  await first.delete('/api/v1/namespaces/closing')
  await first.define(definition({ plural: 'leaves', kind: 'Leaf' }))
  const leaves = `/apis/${GROUP}/v1/namespaces/default/leaves`
  const leaf = { apiVersion: `${GROUP}/v1`, kind: 'Leaf', metadata: { name: 'l', finalizers: ['example.com/hold'] } }
  await first.post(leaves, leaf)
  await first.delete(`${DEFINITIONS}/leaves.example.com`)
  await first.until(`${leaves}/l`, ({ metadata }) => metadata.deletionTimestamp !== undefined)

  const second = await start()
  expect((await second.post(at, widget('late'))).status).toBe(403)
  await second.patch(`${at}/last`, { metadata: { finalizers: null } })
  await second.patch(`${leaves}/l`, { metadata: { finalizers: null } })
  await second.gone('/api/v1/namespaces/closing')
  await second.gone(`${DEFINITIONS}/leaves.example.com`)
})

it('keeps conflicts of names as they were decided', async () => {
  const start = starts()
  const first = await start()
  await first.define(definition({ plural: 'zebras', kind: 'Animal' }))
  await first.post(DEFINITIONS, definition({ plural: 'apes', kind: 'Animal' }))
  await first.until(`${DEFINITIONS}/apes.example.com`, ({ status }) =>
    JSON.stringify(status).includes('ListKindConflict'),
  )
  const second = await start()
  expect((await second.get(`/apis/${GROUP}/v1/zebras`)).status).toBe(200)
  expect((await second.get(`/apis/${GROUP}/v1/apes`)).status).toBe(404)
})

it('reads objects stored in a version that no longer stores', async () => {
  const start = starts()
  const first = await start()
  const one = version('v1', { spec: { n: { type: 'integer' } } })
  const two = version('v2', { spec: { n: { type: 'integer' }, m: { type: 'integer', default: 1 } } })
  await first.define(definition({ plural: 'birds', versions: [{ ...one, storage: true }, two] }))
  const at = (name: string) => `/apis/${GROUP}/${name}/namespaces/default/birds`
  const bird = { apiVersion: `${GROUP}/v1`, kind: 'Bird', metadata: { name: 'b' }, spec: { n: 1 } }
  await first.post(at('v1'), bird)
  await first.patch(`${DEFINITIONS}/birds.example.com`, { spec: { versions: [one, { ...two, storage: true }] } })
  const second = await start()
  expect((await second.get(`${at('v2')}/b`)).body).toMatchObject({ apiVersion: `${GROUP}/v2`, spec: { n: 1, m: 1 } })
  expect((await second.get(`${at('v1')}/b`)).body).toMatchObject({ apiVersion: `${GROUP}/v1`, spec: { n: 1 } })
  expect((await second.patch(`${at('v1')}/b`, { spec: { n: 2 } })).body.spec).toEqual({ n: 2 })
  expect((await second.get(`${at('v2')}/b`)).body.spec).toEqual({ n: 2, m: 1 })
})
