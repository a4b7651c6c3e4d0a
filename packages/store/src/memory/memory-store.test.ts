import { storeConformance } from '../conformance/index.ts'
import { MemoryStore } from './memory-store.ts'

storeConformance('memory', async () => {
  const store = new MemoryStore()
  return { store, dispose: () => store.close() }
})
