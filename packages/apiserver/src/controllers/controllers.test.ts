import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { silentLog } from '@homeostat/base'
import { MemoryStore } from '@homeostat/store'
import { describe, expect, it } from 'vitest'
import { asDefinition, conditionTrue, DEFINITIONS } from '../builtin/definition/definition.ts'
import { sampleDefinition, sampleVersion } from '../builtin/definition/sample-definition.ts'
import { ALONE } from '../duties/duties.ts'
import { startControllers } from './controllers.ts'
import { type MemoryApi, memoryApi, namespace } from './memory-api.ts'

const log = {
  ...silentLog,
  error: (fields: object) => {
    throw new Error(JSON.stringify(fields))
  },
}

function given(versions = [sampleVersion('v1')]) {
  const { apiVersion, kind, spec } = sampleDefinition({ versions })
  return { apiVersion, kind, metadata: { name: 'apps.example.com', annotations: { a: 'b' } }, spec }
}

/** Starts on the store, calls `look`, and stops. */
async function run(
  store: MemoryStore,
  definitions: ReturnType<typeof given>[],
  look?: (server: MemoryApi) => void | Promise<void>,
) {
  const ending = new AbortController()
  const server = await memoryApi(store)
  const options = {
    ...server,
    log,
    definitions,
    signal: ending.signal,
    caBundle: 'PEM',
    duties: ALONE,
    apiOf: () => server.api,
  }
  const { stopped, listening } = await startControllers(options)
  await listening({ host: '192.0.2.1', port: 7001 })
  await look?.(server)
  ending.abort()
  await stopped
  await server.close()
}

/** Creates a namespace and waits for its defaults: by then the controllers have seen what existed at start. */
async function furnished({ api, until, revision }: MemoryApi, name: string): Promise<void> {
  await api.create({ group: '', resource: 'namespaces' }, namespace(name))
  for (const [resource, wanted] of [
    ['configmaps', 'kube-root-ca.crt'],
    ['serviceaccounts', 'default'],
  ] as const) {
    await until({ group: '', resource }, () => api.object({ group: '', resource }, { namespace: name, name: wanted }))
  }
  // Other controllers may still write their first objects; none of that waits for a timer.
  for (let quiet = 0, seen = revision(); quiet < 50; quiet++) {
    await yieldToLoop()
    if (revision() !== seen) quiet = 0
    seen = revision()
  }
}

describe('the controllers of a server', () => {
  it('serve the given definitions when they have started, and end', async () => {
    await run(new MemoryStore(), [given()], ({ api, types }) => {
      expect(types.find('example.com', 'v1', 'apps')).toBeDefined()
      const definition = api.get(DEFINITIONS, { name: 'apps.example.com' })
      expect(definition && conditionTrue(asDefinition(definition), 'Established')).toBe(true)
    })
  })

  it('write nothing when they start again on the same store', async () => {
    const store = new MemoryStore()
    await run(store, [given()], (server) => furnished(server, 'first'))
    const revision = await store.revision()
    await run(store, [given()], (server) => furnished(server, 'second'))
    // The namespace and the defaults that every namespace gets.
    expect(await store.revision()).toBe(revision + 3)
  })

  it('bring a definition up to date that is given differently', async () => {
    const store = new MemoryStore()
    await run(store, [given()])
    await run(store, [given([sampleVersion('v1'), sampleVersion('v2', { storage: false })])], ({ types, api }) => {
      expect(types.find('example.com', 'v2', 'apps')).toBeDefined()
      expect(api.get(DEFINITIONS, { name: 'apps.example.com' })?.metadata.annotations).toEqual({ a: 'b' })
    })
  })
})
