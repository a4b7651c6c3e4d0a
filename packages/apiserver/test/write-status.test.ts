// The fast path for status writes by code inside the server, and the parsed objects that it reads: it must return and
// store the same as the long path.

import { type KubeObject, writeJson } from '@homeostat/meta'
import { MemoryStore } from '@homeostat/store'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Api, type ApiServer, startApiServer } from '../src/index.ts'
import { JOBS, job, jobDefinition } from './jobs.ts'
import { client } from './server.ts'

const LOOSE = {
  properties: { tries: { type: 'integer', minimum: 0 }, kind: { type: 'string', default: 'plain' } },
}

const at = (name: string) => ({ namespace: 'default', name })

let store: MemoryStore
let server: ApiServer
let boss: Api
let user: Api

async function start(statusSchema: object = LOOSE): Promise<void> {
  store = new MemoryStore()
  server = await startApiServer({
    store,
    host: '127.0.0.1',
    port: 0,
    definitions: [jobDefinition(statusSchema)],
    clock: { now: () => Date.UTC(2026, 0, 1), setTimer: () => () => {} },
  })
  boss = server.api({ username: 'boss', manager: 'the-boss' })
  user = server.api({ username: 'user', manager: 'the-user' })
}

beforeEach(() => start())
afterEach(async () => {
  await server.close()
  await store.close()
})

/** The same edit on the long path. */
const longWay = (api: Api, name: string, next: unknown) =>
  api.change(JOBS, at(name), (object) => Object.assign(object, { status: next }), { subresource: 'status' })

const withoutIdentity = (object: KubeObject | undefined) => {
  const { uid, resourceVersion, name, ...metadata } = object?.metadata ?? {}
  return { ...object, metadata }
}

describe('a status written by code inside the server', () => {
  it('is stored with its defaults, and nothing else changes', async () => {
    await user.create(JOBS, job('a', { work: 'x' }))
    const written = await boss.writeStatus(JOBS, at('a'), () => ({ phase: 'Run' }))
    expect(JSON.parse(String(written?.bytes))).toMatchObject({
      metadata: { generation: 1 },
      spec: { work: 'x' },
      status: { phase: 'Run', kind: 'plain' },
    })
    expect(boss.object(JOBS, at('a'))).toBe(written)
  })

  it.each([['atomic'], ['granular']] as const)('has the owners that the long way gives it (%s)', async (mapType) => {
    await server.close()
    await store.close()
    await start({ ...LOOSE, 'x-kubernetes-map-type': mapType })
    await user.create(JOBS, job('a', { work: 'x' }))
    await user.create(JOBS, job('b', { work: 'x' }))
    for (const next of [{ phase: 'Run', tries: 1 }, { phase: 'Run', tries: 2 }, { phase: 'End' }, undefined, {}]) {
      for (const api of [boss, user, boss]) {
        await api.writeStatus(JOBS, at('a'), () => next)
        await longWay(api, 'b', next)
        expect(withoutIdentity(boss.get(JOBS, at('a')))).toEqual(withoutIdentity(boss.get(JOBS, at('b'))))
      }
    }
  })

  it('is not written when it is the same, also by its defaults', async () => {
    await user.create(JOBS, job('a'))
    const first = await boss.writeStatus(JOBS, at('a'), () => ({ phase: 'Run', list: [1] }))
    expect(await user.writeStatus(JOBS, at('a'), ({ status }) => status)).toBe(first)
    expect(await user.writeStatus(JOBS, at('a'), () => ({ phase: 'Run', list: [1] }))).toBe(first)
  })

  it('is refused when the schema does not allow it, and when the one who makes it throws', async () => {
    await user.create(JOBS, job('a'))
    await expect(boss.writeStatus(JOBS, at('a'), () => ({ tries: -1 }))).rejects.toThrow('tries in body should be')
    const refuse = () => {
      throw new Error('moved on')
    }
    await expect(boss.writeStatus(JOBS, at('a'), refuse)).rejects.toThrow('moved on')
    expect(boss.get(JOBS, at('a'))?.status).toBeUndefined()
    // A failed write releases the lock of the key.
    expect(await boss.writeStatus(JOBS, at('a'), () => ({ tries: 1 }))).toBeDefined()
  })

  it('of what is not there is nothing', async () => {
    expect(await boss.writeStatus(JOBS, at('b'), () => ({}))).toBeUndefined()
  })

  it('goes to objects that are large or being deleted, too', async () => {
    const large = 'x'.repeat(200_000)
    await user.create(JOBS, job('a', { large }))
    await user.create(JOBS, { ...job('b'), metadata: { ...at('b'), finalizers: ['ex.io/wait'] } })
    await user.delete(JOBS, at('b'))
    for (const name of ['a', 'b']) {
      const written = await boss.writeStatus(JOBS, at(name), () => ({ phase: 'Run' }))
      expect(JSON.parse(String(written?.bytes)).status).toMatchObject({ phase: 'Run' })
    }
  })

  it('is decided on the newest state, with nobody in between', async () => {
    await user.create(JOBS, job('a'))
    const count = ({ status }: KubeObject) => ({ tries: ((status as { tries?: number })?.tries ?? 0) + 1 })
    await Promise.all(Array.from({ length: 50 }, () => boss.writeStatus(JOBS, at('a'), count)))
    expect(boss.get(JOBS, at('a'))?.status).toMatchObject({ tries: 50 })
  })
})

describe('what a parsed object says', () => {
  it('is what is stored, also when it was sent in another version', async () => {
    await user.create(JOBS, job('first'))
    const first = boss.object(JOBS, at('first'))
    expect(first && boss.parsed(JOBS, first)).toBeDefined()
    const sent = { ...job('second'), apiVersion: 'ex.io/v2' }
    await client(server.address.port).post('/apis/ex.io/v2/namespaces/default/jobs', sent)
    const second = boss.object(JOBS, at('second'))
    expect(second && boss.parsed(JOBS, second)).toEqual(boss.get(JOBS, at('second')))
    expect(boss.get(JOBS, at('second'))?.apiVersion).toBe('ex.io/v1')
  })

  const names = ['a', 'b', 'c']
  const value = fc.constantFrom<unknown>(0, 1, 'x', '', null, 'é"\\', { deep: [1] }, [], 9007199254740993n)
  const step = fc.record({
    do: fc.constantFrom('create', 'create over HTTP', 'spec', 'spec over HTTP', 'status', 'delete'),
    name: fc.constantFrom(...names),
    fields: fc.dictionary(fc.constantFrom('phase', 'note', 'list'), value, { noNullPrototype: true }),
  })

  it('is what is stored, whoever wrote it in whatever way', async () => {
    const seen: string[] = []
    const check = () => {
      for (const object of boss.objects(JOBS)) {
        const stored = boss.get(JOBS, at(object.name.split('/')[1] ?? ''))
        expect(boss.parsed(JOBS, object)).toEqual(stored)
        expect(stored?.metadata.resourceVersion).toBe(String(object.revision))
      }
    }
    const stop = boss.follow(JOBS, ({ object }) => {
      if (object) seen.push(String(boss.parsed(JOBS, object)?.metadata.resourceVersion))
    })
    const http = client(server.address.port)
    const url = '/apis/ex.io/v1/namespaces/default/jobs'
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const { do: what, name, fields } of steps) {
          try {
            if (what === 'create') await user.create(JOBS, job(name, fields))
            if (what === 'create over HTTP') await http.post(url, writeJson(job(name, fields)))
            if (what === 'spec') await user.change(JOBS, at(name), (object) => Object.assign(object, { spec: fields }))
            if (what === 'spec over HTTP') await http.patch(`${url}/${name}`, writeJson({ spec: fields }))
            if (what === 'status') await boss.writeStatus(JOBS, at(name), () => ({ ...fields, tries: 1 }))
            if (what === 'delete') await user.delete(JOBS, at(name))
          } catch (error) {
            expect(String(error)).toMatch(/already exists|not found|must be/)
          }
          check()
        }
        for (const name of names) await user.delete(JOBS, at(name)).catch(() => {})
      }),
    )
    stop()
    expect(seen.length).toBeGreaterThan(100)
  })
})
