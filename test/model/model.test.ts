// Random operations of several clients at once do what a simple model says, and whoever watches ends up with the
// list. A failure prints the seed; HOMEOSTAT_SEED repeats it, as far as the order of concurrent requests allows.

import { type ApiServer, startApiServer } from '@homeostat/apiserver'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { tries } from '@homeostat/base/testing/tries'
import type { KubeObject } from '@homeostat/meta'
import { MemoryStore, openSqliteStore, type Store } from '@homeostat/store'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { call, revisionOf } from '../http-call.ts'
import { WatchReader } from '../watch-reader.ts'
import { widgetDefinition, widgetPath } from '../widgets.ts'
import { Client, type Step } from './client.ts'
import type { Operation } from './model.ts'
import { verify } from './verify.ts'

const size = fc.integer({ min: 1, max: 3 })
const version = fc.oneof(
  { arbitrary: fc.constant('seen' as const), weight: 6 },
  { arbitrary: fc.constantFrom('wrong' as const, 'none' as const), weight: 1 },
)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ type: fc.constant('create' as const), size, held: fc.boolean() }),
  fc.record({ type: fc.constant('replace' as const), size, version }),
  fc.record({ type: fc.constant('merge' as const), size, version: fc.constantFrom('none' as const, 'seen' as const) }),
  fc.record({ type: fc.constant('add' as const), from: size, size }),
  fc.record({ type: fc.constant('label' as const), label: fc.constantFrom('red', 'blue', null) }),
  fc.record({ type: fc.constant('status' as const), phase: fc.constantFrom('On', 'Off'), size, version }),
  fc.record({ type: fc.constant('finalizers' as const), held: fc.boolean() }),
  fc.record({ type: fc.constant('delete' as const), version: fc.constantFrom('none' as const, 'seen' as const) }),
)
const step: fc.Arbitrary<Step> = fc.record({ name: fc.constantFrom('a', 'b'), operation })
const clients = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 })

test.each([
  ['memory', tries(120), () => new MemoryStore()],
  ['sqlite', tries(50), () => openSqliteStore({ directory: temporaryFolder() })],
] as const)('concurrent clients see what the model says (%s)', async (_name, numRuns, open) => {
  const store = await open()
  const server = await start(store)
  const url = `http://127.0.0.1:${server.address.port}`
  let runs = 0
  const seed = process.env.HOMEOSTAT_SEED
  await fc.assert(
    fc.asyncProperty(clients, (scripts) => runScripts(url, `run-${++runs}`, store, scripts)),
    { numRuns, endOnFailure: true, ...(seed !== undefined && { seed: Number(seed) }) },
  )
})

async function start(store: Store): Promise<ApiServer> {
  const server = await startApiServer({ store, host: '127.0.0.1', port: 0, definitions: [widgetDefinition] })
  onTestFinished(async () => {
    await server.close()
    await store.close()
  })
  return server
}

async function runScripts(url: string, namespace: string, store: Store, scripts: Step[][]): Promise<void> {
  await call(`${url}/api/v1/namespaces`, 'POST', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  const from = revisionOf((await call(url + widgetPath(namespace))).body)
  const watching = new AbortController()
  const paths = [widgetPath(namespace), `${widgetPath(namespace)}?labelSelector=color%3Dred`, widgetPath()]
  const readers = paths.map((path) => new WatchReader({ path, from }))
  const following = readers.map((reader) => reader.follow(url, watching.signal))
  const running = scripts.map((script) => {
    const client = new Client(url, namespace, () => store.revision())
    return client.run(script).then(() => client.notes)
  })
  const notes = (await Promise.all(running)).flat()
  const { body: list } = await call(url + widgetPath(namespace))
  await endWatches(url, namespace, readers)
  watching.abort()
  await Promise.all(following)
  const [all, red, everywhere] = readers.map((reader) => reader.events) as [Events, Events, Events]
  expect(everywhere).toEqual(all)
  expect(verify(notes, all.slice(0, -1))).toEqual([])
  expect(replay(all)).toEqual([...(list.items ?? []), all.at(-1)?.object])
  expect(replay(red)).toEqual(replay(all).filter(({ metadata }) => metadata.labels?.color === 'red'))
  for (const events of [all, red]) expect(events.map(({ object }) => revisionOf(object))).toEqual(rising(events))
}

type Events = WatchReader['events']

/** One more object that every watcher selects, so that each is known to have seen the rest. */
async function endWatches(url: string, namespace: string, readers: readonly WatchReader[]): Promise<void> {
  const last = { name: 'z', labels: { color: 'red' } }
  const body = { apiVersion: 'test.homeostat.dev/v1', kind: 'Widget', metadata: last, spec: { size: 1 } }
  const made = await call(url + widgetPath(namespace), 'POST', body)
  await Promise.all(readers.map((reader) => reader.reached(revisionOf(made.body))))
}

/** What is left when all the events have been followed, by name. */
function replay(events: Events): KubeObject[] {
  const objects = new Map<string, KubeObject>()
  for (const { type, object } of events) {
    const name = object.metadata.name ?? ''
    expect(objects.has(name), `${type} ${name}`).toBe(type !== 'ADDED')
    if (type === 'DELETED') objects.delete(name)
    else objects.set(name, object)
  }
  return [...objects.values()].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
}

function rising(events: Events): number[] {
  return [...new Set(events.map(({ object }) => revisionOf(object)))].sort((a, b) => a - b)
}
