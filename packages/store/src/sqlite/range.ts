// One bounded step of reading a range of keys: where it starts and ends, and the answer made of its page. Both ways to read
// a range use it: the fast one of log-reader.ts and the one of read-one-by-one.ts for a damaged file.

import type { Revision } from '../contract.ts'
import type { PageWriter } from './page.ts'
import type { ReadAnswer } from './protocol.ts'

export interface RangeBounds {
  readonly low: Uint8Array
  readonly high: Uint8Array
  readonly revision: Revision
  readonly limit: number
  readonly filled: boolean
}

export function rangeAnswer(page: PageWriter, done: boolean, lastKey: Uint8Array | undefined): ReadAnswer {
  const key = lastKey === undefined ? {} : { lastKey: Buffer.from(lastKey).toString() }
  const { count } = page
  return { page: page.finish(), done, count, ...key }
}

/** The first key after all keys with the prefix. UTF-8 has no byte 0xff, so it ends the whole key space. */
export function prefixEnd(prefix: Buffer): Buffer {
  const last = prefix.at(-1)
  if (last === undefined) return Buffer.of(0xff)
  const end = Buffer.from(prefix)
  end[end.length - 1] = last + 1
  return end
}
