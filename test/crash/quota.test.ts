// A ResourceQuota under 64 writers and a server that is killed while they write: the store never holds more than it allows, and
// after each kill exactly what is left still fits. Set HOMEOSTAT_KILLS for a longer run, HOMEOSTAT_SEED to choose what is written.

import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { tries } from '@homeostat/base/testing/tries'
import type { Store } from '@homeostat/store'
import { expect, test } from 'vitest'
import { call } from '../http-call.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { chosenSeed, type Random, randomFrom } from './random.ts'
import { beginningOf, withStore } from './stored-log.ts'

const kills = Number(process.env.HOMEOSTAT_KILLS ?? tries(6))
const WRITERS = 64
const LIMIT = 20
const QUOTED = '/api/v1/namespaces/quoted'

interface Kind {
  readonly resource: string
  object(name: string): object
}

/** Only the number of Secrets matters; of Services the ports that they take are summed. */
const kinds: readonly [Kind, ...Kind[]] = [
  { resource: 'secrets', object: (name: string) => ({ metadata: { name } }) },
  {
    resource: 'services',
    object: (name: string) => ({ metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }] } }),
  },
]
const hard = { secrets: `${LIMIT}`, 'services.nodeports': `${LIMIT}` }

test(`a quota is exact over ${kills} kills`, { timeout: 120_000 + kills * 30_000 }, async () => {
  const random = randomFrom(chosenSeed())
  console.log(`HOMEOSTAT_SEED=${random.seed}`)
  const directory = temporaryFolder()
  const start = () => startServer(directory, ['--log-level', 'error'])
  let server = await start()
  await call(`${server.url}/api/v1/namespaces`, 'POST', { metadata: { name: 'quoted' } })
  const made = await call(`${server.url}${QUOTED}/resourcequotas`, 'POST', { metadata: { name: 'q' }, spec: { hard } })
  expect(made.code).toBe(201)
  const writers = new Writers(random)
  for (let kill = 0; kill <= kills; kill++) {
    for (const kind of kinds) await expectExact(server, kind, writers)
    if (kill === kills) break
    for (const kind of kinds) await writers.free(server.url, kind, random.between(1, LIMIT))
    await writers.untilKilled(server, random.between(1, 300))
    server = await start()
  }
  const used = async () => (await call(`${server.url}${QUOTED}/resourcequotas/q`)).body.status
  await expect.poll(used).toMatchObject({ used: hard })
  await server.stop()
  await withStore(directory, expectNeverMore)
})

/** While nobody else writes: of 64 at once as many are taken as fit, and the rest is refused for the quota. */
async function expectExact({ url }: ServerProcess, kind: Kind, writers: Writers): Promise<void> {
  const before = await stored(url, kind)
  expect(before).toBeLessThanOrEqual(LIMIT)
  const answers = await Promise.all(Array.from({ length: WRITERS }, () => writers.create(url, kind)))
  const taken = answers.filter((code) => code === 201)
  expect(answers.filter((code) => code === 403)).toHaveLength(WRITERS - taken.length)
  expect([kind.resource, before + taken.length, await stored(url, kind)]).toEqual([kind.resource, LIMIT, LIMIT])
}

async function stored(url: string, { resource }: Kind): Promise<number> {
  return (await names(url, resource)).length
}

async function names(url: string, resource: string): Promise<string[]> {
  const { body } = await call(`${url}${QUOTED}/${resource}`)
  return (body.items ?? []).map(({ metadata }) => metadata.name ?? '')
}

class Writers {
  readonly #random: Random
  #made = 0

  constructor(random: Random) {
    this.#random = random
  }

  async create(url: string, { resource, object }: Kind): Promise<number> {
    const { code, text } = await call(`${url}${QUOTED}/${resource}`, 'POST', object(`o-${++this.#made}`))
    if (code !== 201) expect([code, text]).toEqual([403, expect.stringContaining('exceeded quota: q')])
    return code
  }

  async free(url: string, { resource }: Kind, count: number): Promise<void> {
    const chosen = (await names(url, resource)).slice(0, count)
    await Promise.all(chosen.map((name) => call(`${url}${QUOTED}/${resource}/${name}`, 'DELETE')))
  }

  /** All create and delete until the server is killed after so many writes. */
  async untilKilled(server: ServerProcess, writes: number): Promise<void> {
    let left = writes
    let isKilled = false
    const write = async (): Promise<void> => {
      const kind = this.#random.pick(kinds)
      if (this.#random.between(0, 3) > 0) await this.create(server.url, kind)
      else await this.free(server.url, kind, 2)
      if (--left === 0) {
        isKilled = true
        server.child.kill('SIGKILL')
      }
    }
    const writing = Array.from({ length: WRITERS }, async () => {
      for (;;) await write()
    })
    const ends = await Promise.allSettled(writing)
    expect(isKilled).toBe(true)
    await server.stop('SIGKILL')
    // A connection that broke is a TypeError of fetch.
    for (const end of ends) if (end.status === 'rejected' && !(end.reason instanceof TypeError)) throw end.reason
  }
}

/** Counts along the history of the store. */
async function expectNeverMore(store: Store): Promise<void> {
  const newest = await store.revision()
  const held = new Set<string>()
  let most = 0
  const reading = new AbortController()
  for await (const changes of store.changes(await beginningOf(store), reading.signal)) {
    for (const { key, value } of changes) {
      if (!kinds.some(({ resource }) => key.startsWith(`core/${resource}/quoted/`))) continue
      if (value === undefined) held.delete(key)
      else held.add(key)
      for (const { resource } of kinds) {
        const count = [...held].filter((one) => one.startsWith(`core/${resource}/`)).length
        expect(count, `${resource} at ${key}`).toBeLessThanOrEqual(LIMIT)
        most = Math.max(most, count)
      }
    }
    if ((changes.at(-1)?.revision ?? 0) >= newest) break
  }
  expect(most).toBe(LIMIT)
}
