// A thread that is started before the store is opened: it serves the first store, and nothing is left of it.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { set, text } from '../src/conformance/harness.ts'
import type { Store } from '../src/index.ts'
import { openSqliteStore } from '../src/index.ts'
import { endEarlyThread, startThreadEarly } from '../src/sqlite/spawn-thread.ts'
import { freshDirectory } from './fresh-directory.ts'

async function open(): Promise<Store> {
  const store = await openSqliteStore({ directory: freshDirectory() })
  onTestFinished(() => store.close())
  return store
}

/** Threads are numbered in the order in which they are made. */
async function threadsMadeBy(work: () => Promise<unknown>): Promise<number> {
  const numbers: number[] = []
  for (const step of [async () => {}, work]) {
    await step()
    const probe = new Worker('', { eval: true })
    numbers.push(probe.threadId)
    await once(probe, 'exit')
  }
  const [before = 0, after = 0] = numbers
  return after - before - 1
}

it('is taken by the first store, once', async () => {
  startThreadEarly()
  startThreadEarly()
  const stores: Store[] = []
  const openOne = async () => stores.push(await open())
  expect(await threadsMadeBy(openOne)).toBe(0)
  expect(await threadsMadeBy(openOne)).toBe(1)
  for (const store of stores) {
    await set(store, 'a', 'one')
    expect(text((await store.get('a'))?.value)).toBe('one')
    await store.close()
  }
})

it('is not there any more once it was ended', async () => {
  startThreadEarly()
  endEarlyThread()
  expect(await threadsMadeBy(open)).toBe(1)
})
