import { expect, it } from 'vitest'
import type { EtcdClient, KeyValue, RangeRequest, RangeResponse } from './client/contract.ts'
import { pages } from './pages.ts'

const MIB = 1 << 20
const RANGE = { key: '/object/', end: '/object0' }

it.each([
  ['a few are one page', 400, 1000, 1],
  ['16 MiB are read in pages of 4 MiB', 16_384, 1024, 6],
  ['200 MiB are read in pages that are larger while more is left', 102_400, 2048, 24],
])('%s', async (_case, keys, bytes, most) => {
  const { client, asked } = member(keys, bytes)
  const sizes: number[] = []
  const seen: string[] = []
  for await (const { kvs } of pages(client, RANGE, {})) {
    sizes.push(kvs.length * bytes)
    for (const { key } of kvs) seen.push(key)
  }
  expect(seen).toEqual(names(keys))
  expect(asked()).toBeLessThanOrEqual(most)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(17 * MIB)
})

it('never asks for more keys than are wanted', async () => {
  const { client, limits } = member(10_000, 100)
  let seen = 0
  for await (const { kvs } of pages(client, RANGE, { limit: 1200 })) seen += kvs.length
  expect(seen).toBe(1200)
  expect(limits).toEqual([500, 700])
})

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `/object/${String(index).padStart(8, '0')}`)
}

/** A member that has so many keys, and counts all that are left, as etcd does. */
function member(count: number, bytes: number) {
  const value = Buffer.alloc(bytes)
  const kvs = names(count).map((key): KeyValue => ({ key, value, createRevision: 1, modRevision: 1, version: 1 }))
  const limits: number[] = []
  const range = async ({ key, limit = 0 }: RangeRequest): Promise<RangeResponse> => {
    limits.push(limit)
    const from = kvs.findIndex((kv) => kv.key >= key)
    const left = from < 0 ? [] : kvs.slice(from)
    return { revision: 1, kvs: left.slice(0, limit), more: left.length > limit, count: left.length }
  }
  return { client: { range } as unknown as EtcdClient, asked: () => limits.length, limits }
}
