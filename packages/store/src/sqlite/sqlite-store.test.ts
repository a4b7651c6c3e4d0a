import { mkdtemp, rm } from 'node:fs/promises'
import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeConformance } from '../conformance/index.ts'
import { openSqliteStore } from './open.ts'

enableCompileCache()

storeConformance('sqlite', async ({ bytes, kindBytes } = {}) => {
  const directory = await mkdtemp(join(tmpdir(), 'homeostat-store-'))
  const limits = {
    ...(bytes !== undefined && { historyBytes: bytes }),
    ...(kindBytes !== undefined && { historyKindBytes: kindBytes }),
  }
  let store = await openSqliteStore({ directory, ...limits })
  return {
    store,
    async reopen() {
      await store.close()
      store = await openSqliteStore({ directory, ...limits })
      return store
    },
    async dispose() {
      await store.close()
      await rm(directory, { recursive: true })
    },
  }
})
