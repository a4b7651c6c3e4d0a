import { storeConformance, type TestLimits } from '../conformance/index.ts'
import { MemoryStore, type MemoryStoreOptions } from './memory-store.ts'

const memory = (options?: MemoryStoreOptions) => async (history?: TestLimits) => {
  const store = new MemoryStore({ ...options, ...(history && { history }) })
  return { store, dispose: () => store.close() }
}

storeConformance('memory', memory())
// As a store of several writers gives them: not from 1 on, and not one by one.
storeConformance('leaping memory', memory({ start: 7_000, next: (last) => last + 1 + (last % 5) }))
storeConformance('small memory', memory({ maxValueBytes: 300_000 }))
storeConformance('shared memory', memory({ shared: true }))
