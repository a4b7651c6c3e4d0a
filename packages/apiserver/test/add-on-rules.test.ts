import type { KubeObject } from '@homeostat/meta'
import type { Cause } from '@homeostat/meta/server'
import { MemoryStore } from '@homeostat/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Api, type ApiServer, startApiServer } from '../src/index.ts'
import { JOBS, job, jobDefinition } from './jobs.ts'

const fixed: Cause = { reason: 'FieldValueInvalid', field: 'spec.work', message: 'is fixed' }

let store: MemoryStore
let server: ApiServer
let boss: Api
let user: Api

beforeEach(async () => {
  store = new MemoryStore()
  server = await startApiServer({
    store,
    host: '127.0.0.1',
    port: undefined,
    definitions: [jobDefinition()],
    rules: [
      {
        ...JOBS,
        load: async () => ({
          prepareForCreate: (object) => {
            object.status = { phase: 'New' }
          },
          validate: ({ spec }) => ((spec as { work?: unknown }).work === 'none' ? [fixed] : []),
          validateUpdate: (object, old, { username } = { username: '', groups: [] }) =>
            username === 'boss' || (object.spec as { work?: unknown }).work === (old.spec as { work?: unknown }).work
              ? []
              : [fixed],
        }),
      },
    ],
  })
  boss = server.api({ username: 'boss', manager: 'the-boss' })
  user = server.api({ username: 'user', manager: 'the-user' })
})

afterEach(async () => {
  await server.close()
  await store.close()
})

const setWork = (work: string) => (object: KubeObject) => {
  object.spec = { work }
}

describe('the rules of an add-on for its own kind', () => {
  it('say what a new object begins with, whatever the client sent as its status', async () => {
    const made = await user.create(JOBS, { ...job('a'), status: { phase: 'Done', by: 'hand' } })
    expect(made.status).toEqual({ phase: 'New' })
  })

  it('refuse a new object', async () => {
    await expect(user.create(JOBS, job('a', { work: 'none' }))).rejects.toMatchObject({ code: 422 })
  })

  it('refuse a change by one user and allow it to another', async () => {
    await user.create(JOBS, job('a', { work: 'x' }))
    await expect(user.change(JOBS, { namespace: 'default', name: 'a' }, setWork('y'))).rejects.toThrow('is fixed')
    const changed = await boss.change(JOBS, { namespace: 'default', name: 'a' }, setWork('y'))
    expect(changed?.spec).toEqual({ work: 'y' })
  })
})

describe('the way to write for code inside the server', () => {
  const status = { subresource: 'status' } as const

  it('applies under a manager of its own: what is no longer said goes', async () => {
    await boss.create(JOBS, job('a'))
    const applied = (fields: object) =>
      boss.apply(JOBS, { ...job('a'), spec: undefined, status: fields }, { ...status, manager: 'worker' })
    await applied({ ready: 3, note: 'up' })
    const { status: left, metadata } = await applied({ ready: 3 })
    expect(left).toEqual({ phase: 'New', ready: 3 })
    expect(metadata.managedFields).toMatchObject([{ manager: 'worker', operation: 'Apply' }, { manager: 'the-boss' }])
  })
})
