// Compares every key and value of two stores. A migration calls it before it says that the copy is whole.

import { createHash } from 'node:crypto'
import type { Entry, Store } from '../contract.ts'
import { INCOMPLETE } from './incomplete.ts'

const PAGE = 500

/** Resolves to the SHA-256 of both. Throws an Error that names the first key which differs. */
export async function compareStores(
  from: Store,
  to: Store,
  revision: number,
  compared: (objects: number) => void,
): Promise<string> {
  const [sources, copies] = [entriesOf(from, revision), entriesOf(to)]
  const hash = createHash('sha256')
  for (let objects = 0; ; objects++) {
    const [source, copy] = [(await sources.next()).value, (await copies.next()).value]
    if (objects % PAGE === 0 || source === undefined) compared(objects)
    if (source === undefined && copy === undefined) return hash.digest('hex')
    if (source === undefined || source.key !== copy?.key) throw differs(source?.key ?? copy?.key)
    const [bytes, copied] = [source.value?.bytes, copy.value?.bytes]
    const isSame = bytes !== undefined && copied !== undefined && Buffer.compare(bytes, copied) === 0
    if (!isSame || source.value?.gap !== copy.value?.gap || source.value?.metaEnd !== copy.value?.metaEnd)
      throw differs(source.key)
    hash.update(`${Buffer.byteLength(source.key)} ${source.key} ${bytes.length} `).update(bytes)
  }
}

function differs(key: string | undefined): Error {
  return new Error(`the copy of ${key} differs from the source; empty the target, and run this again`)
}

async function* entriesOf(store: Store, revision?: number): AsyncGenerator<Entry, undefined, undefined> {
  let [after, at, more] = ['', revision, true]
  while (more) {
    const page = await store.range('', { after, limit: PAGE, ...(at !== undefined && { revision: at }) })
    yield* page.entries.filter(({ key }) => key !== INCOMPLETE.key)
    at = page.revision
    more = page.more
    after = page.entries.at(-1)?.key ?? after
  }
  return undefined
}
