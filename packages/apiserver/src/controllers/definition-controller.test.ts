import { ManualClock, silentLog } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asDefinition, conditionTrue, DEFINITIONS, type Definition } from '../builtin/definition/definition.ts'
import { sampleDefinition, sampleVersion } from '../builtin/definition/sample-definition.ts'
import { DefinitionController } from './definition-controller.ts'
import { type MemoryApi, memoryApi } from './memory-api.ts'
import { ServedDefinitions } from './served-definitions.ts'

const APPS = { group: 'example.com', resource: 'apps' }
const failures: object[] = []
const log = { ...silentLog, error: (fields: object) => failures.push(fields) }

let server: MemoryApi
let ending: AbortController
let clock: ManualClock
let running: Promise<void>

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
  ending = new AbortController()
  // The clock stands still: every reconcile is caused by an event, never by a timer.
  const served = new ServedDefinitions({ ...server, log })
  clock = new ManualClock(Date.now())
  const controller = new DefinitionController({ ...server, served, log, clock })
  running = controller.start(ending.signal).then(() => served.close())
}

async function stop(): Promise<void> {
  ending.abort()
  await running
}

function wanted(spec: Partial<Definition['spec']> = {}, metadata: object = {}): KubeObject {
  const { apiVersion, kind, spec: full } = sampleDefinition({ scope: 'Cluster', ...spec })
  return { apiVersion, kind, metadata: { name: `${full.names.plural}.${full.group}`, ...metadata }, spec: full }
}

function find(name = 'apps.example.com'): Definition | undefined {
  const object = server.api.get(DEFINITIONS, { name })
  return object && asDefinition(object)
}

function established(name = 'apps.example.com'): Promise<Definition> {
  return server.until(DEFINITIONS, () => {
    const definition = find(name)
    return definition !== undefined && conditionTrue(definition, 'Established') && definition
  })
}

function gone(name = 'apps.example.com'): Promise<true> {
  return server.until(DEFINITIONS, () => find(name) === undefined)
}

function app(name: string, metadata: object = {}): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'App', metadata: { name, ...metadata }, spec: {} }
}

const other = { plural: 'others', singular: 'other', kind: 'App', listKind: 'OtherList' }

describe('the definition controller', () => {
  it('serves a definition before it says that it does', async () => {
    let servedFirst = false
    server.types.onChange(() => {
      servedFirst = !conditionTrue(find() ?? sampleDefinition(), 'Established')
    })
    await server.api.create(DEFINITIONS, wanted())
    await established()
    expect(servedFirst).toBe(true)
    expect(server.types.find('example.com', 'v1', 'apps')?.kind).toBe('App')
    await expect(server.api.create(APPS, app('a'))).resolves.toMatchObject({ spec: { size: 'S' } })
  })

  it('writes nothing once all is said, also after a restart', async () => {
    await server.api.create(DEFINITIONS, wanted())
    await established()
    const revision = server.revision()
    await stop()
    server.types.set('example.com', 'apps', [])
    start()
    // publishAll serves the definition synchronously.
    expect(server.types.find('example.com', 'v1', 'apps')).toBeDefined()
    await server.api.create(DEFINITIONS, wanted({ group: 'later.com' }))
    await established('apps.later.com')
    // One create and one status write, both of the other definition.
    expect(server.revision()).toBe(revision + 2)
  })

  it('serves a changed schema with the commit, and leaves the table alone for a changed label', async () => {
    await server.api.create(DEFINITIONS, wanted())
    const definition = await established()
    const before = server.types.find('example.com', 'v1', 'apps')
    definition.metadata.labels = { a: 'b' }
    const labelled = asDefinition(await server.api.update(DEFINITIONS, definition))
    expect(server.types.find('example.com', 'v1', 'apps')).toBe(before)
    labelled.spec.versions = [sampleVersion('v1', { schema: { openAPIV3Schema: { type: 'object' } } })]
    const changed = await server.api.update(DEFINITIONS, labelled)
    const after = server.types.find('example.com', 'v1', 'apps')
    expect(after?.viewEpoch).toBe(Number(changed.metadata.resourceVersion))
    expect(before?.viewEpoch).toBeLessThan(after?.viewEpoch ?? 0)
  })

  it('gives a name to one of two, and to the other when it comes free', async () => {
    await server.api.create(DEFINITIONS, wanted())
    await established()
    await server.api.create(DEFINITIONS, wanted({ names: other }))
    await server.until(DEFINITIONS, () =>
      find('others.example.com')?.status.conditions?.some((c) => c.reason === 'KindConflict'),
    )
    expect(server.types.find('example.com', 'v1', 'others')).toBeUndefined()
    await server.api.delete(DEFINITIONS, { name: 'apps.example.com' })
    await established('others.example.com')
    expect(server.types.find('example.com', 'v1', 'others')?.kind).toBe('App')
  })

  it('accepts a name for only one of two definitions created at once', async () => {
    await Promise.all([
      server.api.create(DEFINITIONS, wanted()),
      server.api.create(DEFINITIONS, wanted({ names: other })),
    ])
    const both = (): Definition[] => server.api.list(DEFINITIONS).map(asDefinition)
    await server.until(DEFINITIONS, () => both().every((one) => (one.status.conditions ?? []).length > 0))
    expect(both().filter((one) => conditionTrue(one, 'Established'))).toHaveLength(1)
  })

  it('never takes the place of a built-in kind, nor deletes what is not its own', async () => {
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, for tests' }
    const leases = { plural: 'leases', singular: 'lease', kind: 'Lease', listKind: 'LeaseList' }
    const place = { group: 'coordination.k8s.io', resource: 'leases' }
    const apiVersion = 'coordination.k8s.io/v1'
    await server.api.create(
      { group: '', resource: 'namespaces' },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } },
    )
    await server.api.create(place, { apiVersion, kind: 'Lease', metadata: { name: 'l', namespace: 'n' } })
    await server.api.create(DEFINITIONS, wanted({ group: place.group, names: leases }, { annotations }))
    await server.until(DEFINITIONS, () => find('leases.coordination.k8s.io')?.status.conditions?.length)
    expect(server.types.find(place.group, 'v1', 'leases')?.custom).toBe(false)
    await server.api.delete(DEFINITIONS, { name: 'leases.coordination.k8s.io' })
    await gone('leases.coordination.k8s.io')
    expect(server.api.count(place)).toBe(1)
    expect(server.types.find(place.group, 'v1', 'leases')).toBeDefined()
  })

  it('deletes all objects of a deleted definition, then the definition, then its endpoint', async () => {
    await server.api.create(DEFINITIONS, wanted())
    await established()
    await Promise.all(Array.from({ length: 150 }, (_, i) => server.api.create(APPS, app(`a${i}`))))
    await server.api.delete(DEFINITIONS, { name: 'apps.example.com' })
    expect(server.types.find('example.com', 'v1', 'apps')?.acceptsCreates).toBe(false)
    await gone()
    expect(server.api.count(APPS)).toBe(0)
    expect(server.types.find('example.com', 'v1', 'apps')).toBeUndefined()
  })

  it('waits for objects that are held, and goes on when they are let go', async () => {
    await server.api.create(DEFINITIONS, wanted())
    await established()
    await server.api.create(APPS, app('held', { finalizers: ['example.com/hold'] }))
    await server.api.delete(DEFINITIONS, { name: 'apps.example.com' })
    const held = await server.until(APPS, () => {
      const object = server.api.get(APPS, { name: 'held' })
      return object?.metadata.deletionTimestamp !== undefined && object
    })
    expect(find()?.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Terminating', status: 'True', reason: 'InstanceDeletionInProgress' }),
    )
    // By the time the next definition is established, the controller has seen that it can only wait.
    await server.api.create(DEFINITIONS, wanted({ group: 'later.com' }))
    await established('apps.later.com')
    expect(find()).toBeDefined()
    held.metadata.finalizers = []
    await server.api.update(APPS, held)
    await gone()
  })

  it('empties a definition that serves no version any more', async () => {
    await server.api.create(DEFINITIONS, wanted())
    const definition = await established()
    await server.api.create(APPS, app('a'))
    definition.spec.versions = [sampleVersion('v1', { served: false })]
    await server.api.update(DEFINITIONS, definition)
    expect(server.types.find('example.com', 'v1', 'apps')).toBeUndefined()
    await server.api.delete(DEFINITIONS, { name: 'apps.example.com' })
    await gone()
    expect(server.api.count(APPS)).toBe(0)
  })

  it('reports that it is done while another finalizer still holds the definition', async () => {
    await server.api.create(DEFINITIONS, wanted({}, { finalizers: ['example.com/hold'] }))
    await established()
    await server.api.delete(DEFINITIONS, { name: 'apps.example.com' })
    const said = (reason: string) =>
      server.until(DEFINITIONS, () => {
        const found = find()
        return found?.status.conditions?.some((c) => c.reason === reason) && found
      })
    // Long enough for clients that poll.
    await said('InstanceDeletionInProgress')
    await expect.poll(() => clock.timers).toBeGreaterThan(0)
    clock.advance(2000)
    const definition = await said('InstanceDeletionCompleted')
    expect(definition.metadata.finalizers).toEqual(['example.com/hold'])
    definition.metadata.finalizers = []
    await server.api.update(DEFINITIONS, definition)
    await gone()
  })

  it('can make the same definition again', async () => {
    await server.api.create(DEFINITIONS, wanted())
    await established()
    await server.api.delete(DEFINITIONS, { name: 'apps.example.com' })
    await gone()
    await server.api.create(DEFINITIONS, wanted())
    await established()
    await expect(server.api.create(APPS, app('a'))).resolves.toBeDefined()
  })
})
