import { MemoryStore } from '@homeostat/store'
import { describe, expect, it } from 'vitest'
import { asDefinition, conditionTrue, DEFINITIONS } from '../custom/definition.ts'
import { sampleDefinition, sampleVersion } from '../custom/sample-definition.ts'
import { startControllers } from './controllers.ts'
import { memoryApi } from './memory-api.ts'

const log = {
  error: (fields: object) => {
    throw new Error(JSON.stringify(fields))
  },
}

function given(versions = [sampleVersion('v1')]) {
  const { apiVersion, kind, spec } = sampleDefinition({ versions })
  return { apiVersion, kind, metadata: { name: 'apps.example.com', annotations: { a: 'b' } }, spec }
}

/** Starts on the store, lets `look` at it, and ends. */
async function run(
  store: MemoryStore,
  definitions: ReturnType<typeof given>[],
  look?: (server: Awaited<ReturnType<typeof memoryApi>>) => void,
) {
  const ending = new AbortController()
  const server = await memoryApi(store)
  const { stopped } = await startControllers({ ...server, log, definitions, signal: ending.signal })
  look?.(server)
  ending.abort()
  await stopped
  await server.close()
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
    await run(store, [given()])
    const revision = await store.revision()
    await run(store, [given()])
    expect(await store.revision()).toBe(revision)
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
