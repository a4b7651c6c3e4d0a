// Reads a range of keys in pages that fit into memory: each asks for as many keys as the last ones suggest. etcd counts all keys that
// are left for every page, so that few large pages cost it less than many small ones: the more is left, the larger they are. Reads and
// the compactor call it.

import type { EtcdClient, KeyValue, RangeResponse } from './client/contract.ts'
import { isEtcdError } from './client/etcd-error.ts'
import type { KeyRange } from './layout.ts'

const FIRST_PAGE = 500
const MAX_PAGE = 20_000
/** About how many bytes a page should have. */
const PAGE_BYTES = 4 << 20
/** And at most, where much is left: of 100,000 objects of 1.9 KB, pages four times as large take a third less of its processor. */
const MAX_PAGE_BYTES = 16 << 20
/** Within these limits a page is one part in so many of what is left. */
const PARTS = 4

export interface PagesOptions {
  readonly revision?: number
  readonly limit?: number
  readonly keysOnly?: boolean
}

export interface KeyPage {
  readonly kvs: readonly KeyValue[]
  /** There are more keys in the range. */
  readonly more: boolean
}

/** The next page is asked for while the caller works on one. */
export async function* pages(
  client: EtcdClient,
  range: KeyRange,
  { revision, limit = Number.POSITIVE_INFINITY, keysOnly = false }: PagesOptions,
): AsyncGenerator<KeyPage, void, undefined> {
  let left = limit
  let size = Math.min(FIRST_PAGE, left)
  const ask = (key: string) => readSome(client, { key, end: range.end, revision, keysOnly }, size)
  let asked: Promise<RangeResponse> | undefined = ask(range.key)
  while (asked !== undefined) {
    const { kvs, more, count }: RangeResponse = await asked
    const last = kvs.at(-1)
    left -= kvs.length
    const isLast = !more || last === undefined || left <= 0
    if (!isLast) {
      size = Math.max(1, Math.min(fitting(kvs, count - kvs.length), left))
      asked = ask(`${last.key}\0`)
      // It is awaited after the caller has worked on this page, and not at all if that throws.
      asked.catch(() => {})
    } else asked = undefined
    yield { kvs, more }
  }
}

/** How many keys the next page should have, of so many that are left. */
function fitting(kvs: readonly KeyValue[], more: number): number {
  let bytes = 0
  for (const { key, value } of kvs) bytes += key.length + value.length
  const each = bytes / kvs.length
  const wanted = Math.min(Math.max(PAGE_BYTES, (more * each) / PARTS), MAX_PAGE_BYTES)
  return Math.min(MAX_PAGE, kvs.length * 4, Math.ceil(wanted / each))
}

async function readSome(
  client: EtcdClient,
  request: { key: string; end: string; revision: number | undefined; keysOnly: boolean },
  limit: number,
): Promise<RangeResponse> {
  try {
    return await client.range({ ...request, limit })
  } catch (error) {
    if (!isEtcdError(error, 'answer-too-large') || limit === 1) throw error
    return readSome(client, request, Math.ceil(limit / 2))
  }
}
