// Reads everything the store holds, at one revision, when the server starts. The next page is on its way while one is
// taken in, and objects that will stand in one leaf are laid into one buffer as the leaf will want them.

import type { Entry, Range, Store } from '@homeostat/store'
import { CachedObject } from './cached-object.ts'
import { splitKey } from './object-key.ts'

const PAGE = 1000
const IN_ONE_BUFFER = 24
const COMMA = 0x2c

export interface Loaded {
  readonly revision: number
  /** Objects in key order by `group/resource`. */
  readonly resources: ReadonlyMap<string, readonly CachedObject[]>
}

export async function loadObjects(store: Store): Promise<Loaded> {
  const resources = new Map<string, CachedObject[]>()
  let pending: Promise<Range> | undefined = store.range('', { limit: PAGE })
  let revision = 0
  while (pending) {
    const page: Range = await pending
    const last = page.entries.at(-1)
    revision = page.revision
    pending = page.more && last ? store.range('', { limit: PAGE, after: last.key, revision }) : undefined
    // Failures are met where it is awaited, after this page.
    pending?.catch(() => {})
    for (let i = 0; i < page.entries.length; i += IN_ONE_BUFFER) {
      for (const object of laidOut(page.entries.slice(i, i + IN_ONE_BUFFER))) {
        const [storage] = splitKey(object.key)
        const objects = resources.get(storage)
        if (objects) objects.push(object)
        else resources.set(storage, [object])
      }
    }
  }
  return { revision, resources }
}

function laidOut(entries: readonly Entry[]): CachedObject[] {
  let length = 0
  for (const { value, revision } of entries) if (value) length += 1 + value.bytes.length + String(revision).length
  const buffer = Buffer.allocUnsafeSlow(length)
  let at = 0
  return entries.map(({ key, revision, value, damage }) => {
    const [, name] = splitKey(key)
    if (!value) return CachedObject.damaged(key, name, revision, damage ?? 'unreadable')
    buffer[at] = COMMA
    const object = CachedObject.placed(key, name, revision, value, buffer, at + 1)
    at += 1 + object.size
    return object
  })
}
