// Counts the project's files between a request and the store, as a reader of the code or of a stack trace meets them.

import { createHook, executionAsyncId } from 'node:async_hooks'
import { MemoryStore } from '@homeostat/store'
import { expect, it } from 'vitest'
import { startApiServer } from '../src/index.ts'
import { job, jobDefinition } from './jobs.ts'
import { client } from './server.ts'

const URL = '/apis/ex.io/v1/namespaces/default/jobs'

/** The cause of an asynchronous operation: the stacks that started and resolved it, and the operations they ran in. */
interface Origin {
  readonly stacks: string[]
  readonly before: number[]
}

function stackHere(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 200
  const { stack = '' } = new Error('here')
  Error.stackTraceLimit = limit
  return stack
}

class FollowedStore extends MemoryStore {
  readonly #origins = new Map<number, Origin>()
  readonly #hook = createHook({
    init: (id, _type, trigger) => void this.#origins.set(id, { stacks: [stackHere()], before: [trigger] }),
    promiseResolve: (id) => {
      this.#origins.get(id)?.stacks.push(stackHere())
      this.#origins.get(id)?.before.push(executionAsyncId())
    },
  })
  /** The stacks that lead to the put of a job. */
  stacks: string[] = []

  follow(): void {
    this.#hook.enable()
  }

  override put(...args: Parameters<MemoryStore['put']>) {
    if (args[0].startsWith('ex.io/jobs/')) {
      this.#hook.disable()
      this.stacks = [stackHere(), ...this.#stacksBefore(executionAsyncId())]
    }
    return super.put(...args)
  }

  #stacksBefore(last: number): string[] {
    const ids = new Set([last])
    for (const id of ids) for (const before of this.#origins.get(id)?.before ?? []) ids.add(before)
    return [...ids].flatMap((id) => this.#origins.get(id)?.stacks ?? [])
  }
}

const filesOf = (stacks: readonly string[]) =>
  new Set(
    stacks.flatMap((stack) => [...stack.matchAll(/packages\/([\w-]+\/src\/[\w/-]+\.ts)/g)].map(([, file]) => file)),
  )

it('a create passes few files of the project on its way to the store', async () => {
  const store = new FollowedStore()
  const server = await startApiServer({
    store,
    host: '127.0.0.1',
    port: 0,
    definitions: [jobDefinition()],
  })
  try {
    const http = client(server.address.port)
    // Only the first write loads code, so measure the second.
    await http.post(URL, job('first'))
    store.follow()
    expect(await http.post(URL, job('second', { work: 1 }))).toMatchObject({ status: 201 })
    const files = filesOf(store.stacks)
    expect([...files]).toEqual(expect.arrayContaining([expect.stringMatching('pipeline/run-write')]))
    expect(files.size).toBeLessThanOrEqual(12)
  } finally {
    await server.close()
    await store.close()
  }
})
