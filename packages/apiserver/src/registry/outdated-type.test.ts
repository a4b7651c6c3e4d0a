import { isStatusError } from '@homeostat/meta'
import { MemoryStore } from '@homeostat/store'
import { afterAll, expect, it } from 'vitest'
import { builtinTypes } from '../builtin/builtin-types.ts'
import { WatchCache } from '../cache/watch-cache.ts'
import { gadgetType } from '../discovery/gadget.fixture.ts'
import { ADMINISTRATOR } from '../identity/user.ts'
import { create } from '../pipeline/lists.ts'
import { runWrite } from '../pipeline/run-write.ts'
import { bodyOf } from './decode-object.ts'
import { Registry } from './registry.ts'
import { ResourceTypes } from './resource-types.ts'
import type { WriteRequest } from './write-request.ts'

const store = new MemoryStore()
const cache = await WatchCache.load(store)
const types = new ResourceTypes()
for (const type of builtinTypes()) types.set(type.group, type.resource, [type])
const registry = new Registry(store, cache, types)
const ending = new AbortController()
const followed = cache.follow(store, ending.signal)
afterAll(async () => {
  ending.abort()
  await followed
})

const old = gadgetType({ namespaced: false })
const gadget = (name: string) => ({ apiVersion: `${old.group}/${old.version}`, kind: old.kind, metadata: { name } })
const request: WriteRequest = {
  type: old,
  namespace: undefined,
  name: undefined,
  subresource: undefined,
  dryRun: false,
  fieldValidation: 'Warn',
  user: ADMINISTRATOR,
  manager: 'test',
  warn: () => {},
}

it('stores nothing that was checked against a definition which has been replaced meanwhile', async () => {
  types.set(old.group, old.resource, [old])
  expect(await runWrite(registry, create, request, bodyOf(gadget('before')))).toHaveProperty('stored')
  const revision = cache.revision
  types.set(old.group, old.resource, [gadgetType({ namespaced: false })])
  const refused = await runWrite(registry, create, request, bodyOf(gadget('after'))).catch((error: unknown) => error)
  expect(isStatusError(refused, 'TooManyRequests')).toBe(true)
  expect(refused).toMatchObject({ status: { code: 429, details: { retryAfterSeconds: 1 } } })
  expect(cache.revision).toBe(revision)
})
