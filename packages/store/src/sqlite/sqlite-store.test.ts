import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeConformance } from '../conformance/index.ts'
import { openSqliteStore } from './open.ts'

storeConformance('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'store-sqlite-'))
  let store = await openSqliteStore({ directory })
  return {
    store,
    async reopen() {
      await store.close()
      store = await openSqliteStore({ directory })
      return store
    },
    async dispose() {
      await store.close()
      await rm(directory, { recursive: true })
    },
  }
})
