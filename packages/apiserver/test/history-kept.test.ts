// Which writes the store keeps as history: new generations and what people change, not statuses and controllers' marks.

import type { KubeObject } from '@homeostat/meta'
import { MemoryStore } from '@homeostat/store'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Api, type ApiServer, startApiServer } from '../src/index.ts'
import { JOBS, job, jobDefinition } from './jobs.ts'

const CONFIG_MAPS = { group: '', resource: 'configmaps' }
const LEASES = { group: 'coordination.k8s.io', resource: 'leases' }
const EVENTS = { group: '', resource: 'events' }
const NOTES = { group: 'ex.io', resource: 'notes' }
const at = (name: string) => ({ namespace: 'default', name })

let store: MemoryStore
let server: ApiServer
let ada: Api
let robot: Api

beforeEach(async () => {
  store = new MemoryStore()
  const jobs = jobDefinition()
  const notes: KubeObject = {
    ...jobs,
    metadata: { name: 'notes.ex.io', annotations: { 'homeostat.dev/no-history': 'true' } },
    spec: { ...(jobs.spec as object), names: { kind: 'Note', plural: 'notes' } },
  }
  const options = { host: '127.0.0.1', port: undefined, rolesLater: true }
  server = await startApiServer({ store, ...options, definitions: [jobs, notes] })
  ada = server.api({ username: 'ada', manager: 'kubectl' })
  robot = server.api({ username: 'system:serviceaccount:default:robot', manager: 'robot' })
})
afterEach(async () => {
  await server.close()
  await store.close()
})

const minors = async (key: string) => (await store.history(key)).map(({ note }) => note.minor)

it('ten generations stay readable after 10,000 status writes', async () => {
  await ada.create(JOBS, job('a'))
  for (let tries = 2; tries <= 10; tries++)
    await ada.change(JOBS, at('a'), (object) => Object.assign(object, { spec: { ...(object.spec as object), tries } }))
  for (let tries = 0; tries < 10_000; tries++) await robot.writeStatus(JOBS, at('a'), () => ({ tries }))
  await store.compact(await store.revision())
  const history = await store.history(`${JOBS.group}/${JOBS.resource}/default/a`)
  expect(history).toHaveLength(11)
  const generations = history.map(
    ({ value }) => JSON.parse(Buffer.from(value?.bytes ?? []).toString()).metadata.generation,
  )
  expect(generations).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10])
  expect(history.at(0)?.note).toMatchObject({ user: 'ada', manager: 'kubectl', minor: false })
})

it('of kinds without a generation, what people change is history', async () => {
  const edit = (api: Api, change: (object: { data?: object; metadata: object }) => void) =>
    api.change(CONFIG_MAPS, at('a'), change)
  const annotate = (api: Api, name: string) =>
    edit(api, ({ metadata }) => Object.assign(metadata, { annotations: { [name]: 'x' } }))
  await ada.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: at('a'), data: { a: '1' } })
  await edit(ada, (object) => Object.assign(object, { data: { a: '2' } }))
  await edit(robot, (object) => Object.assign(object, { data: { a: '3' } }))
  await edit(robot, ({ metadata }) => Object.assign(metadata, { labels: { a: 'b' } }))
  await annotate(ada, 'note')
  await annotate(ada, 'control-plane.alpha.kubernetes.io/leader')
  await annotate(robot, 'example.com/seen')
  await edit(ada, ({ metadata }) => Object.assign(metadata, { finalizers: ['example.com/hold'] }))
  // The leader's mark replaced the note, so that a person's annotation went with it.
  expect(await minors('core/configmaps/default/a')).toEqual([false, false, false, false, false, false, true, true])
})

it('leases, events and kinds whose definition says so have none', async () => {
  await ada.create(LEASES, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: at('a'), spec: {} })
  await ada.delete(LEASES, at('a'))
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' }
  await ada.create(EVENTS, { apiVersion: 'v1', kind: 'Event', metadata: at('e'), involvedObject, reason: 'Seen' })
  expect(await minors('coordination.k8s.io/leases/default/a')).toEqual([true, true])
  expect(await minors('core/events/default/e')).toEqual([true])
  await ada.create(NOTES, { apiVersion: 'ex.io/v1', kind: 'Note', metadata: at('b') })
  expect(await minors('ex.io/notes/default/b')).toEqual([true])
})
