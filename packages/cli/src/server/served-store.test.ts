import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { lossOf, markStore, refuseOtherStore, refuseOwnStore, rememberStore, unservedObjects } from './served-store.ts'

const note = { time: 0, user: '', manager: '' }

async function storeOf(uid?: string) {
  const store = new MemoryStore()
  onTestFinished(() => store.close())
  const text = `{"metadata":{"resourceVersion":"","uid":"${uid}"}}`
  const value = { bytes: Buffer.from(text), gap: text.indexOf('""') + 1, metaEnd: text.length - 1 }
  if (uid !== undefined) await store.put('core/namespaces/kube-system', value, undefined, note)
  return store
}

async function remember(store: MemoryStore, directory: string): Promise<void> {
  const end = new AbortController()
  await rememberStore(store, directory, end.signal)
  end.abort()
}

test('a data directory is served from the store that it remembers, and from no other', async () => {
  const directory = temporaryFolder()
  const own = await storeOf('own')
  for (const store of [own, await storeOf()]) await refuseOtherStore(store, directory, '/homeostat in etcd')
  await remember(own, directory)
  await refuseOtherStore(own, directory, '/homeostat in etcd')
  await expect(refuseOtherStore(await storeOf(), directory, '/homeostatt in etcd')).rejects.toThrow(
    /^\/homeostatt in etcd holds no objects, and .* belongs to the store whose kube-system has the uid own; check --etcd/,
  )
  await expect(refuseOtherStore(await storeOf('other'), directory, '/x in etcd')).rejects.toThrow(
    /is another store \(kube-system has the uid other\)/,
  )
})

test('a store that is behind what a server has seen of it has lost something', async () => {
  const directory = temporaryFolder()
  const store = await storeOf('own')
  expect(await lossOf(store, directory)).toBeUndefined()
  await remember(store, directory)
  const found = await store.revision()
  expect(await lossOf(store, directory)).toBeUndefined()
  markStore(directory, 'own', 500)
  // What was known is not forgotten, by a new server's code with the uid alone least of all.
  markStore(directory, 'own')
  await remember(store, directory)
  expect(await lossOf(store, directory)).toEqual({ known: 500, found })
  expect(await lossOf(await storeOf('other'), directory)).toBeUndefined()
})

test("what a killed process has left of the mark is in nobody's way", async () => {
  const directory = temporaryFolder()
  writeFileSync(join(directory, `served-store.${process.pid}.tmp`), 'ow')
  markStore(directory, 'own', 7)
  expect(await lossOf(await storeOf('own'), directory)).toMatchObject({ known: 7 })
})

test('a server without etcd does not begin a store of its own with the keys of those on etcd', () => {
  const directory = temporaryFolder()
  refuseOwnStore(directory)
  markStore(directory, 'own')
  expect(() => refuseOwnStore(directory)).toThrow(/start with --store etcd, or delete .*served-store/)
  expect(unservedObjects(directory)).toBeUndefined()
  writeFileSync(join(directory, 'homeostat.db'), '')
  refuseOwnStore(directory)
  expect(unservedObjects(directory)).toMatch(/homeostat migrate --to etcd/)
  writeFileSync(join(directory, 'moved'), 'the store under /homeostat in etcd\n')
  expect(unservedObjects(directory)).toBeUndefined()
})
