// Events of several servers on one store: the one that has the duty deletes them, each once, and another goes on when it is gone.

import { setImmediate as turn } from 'node:timers/promises'
import { MemoryStore, type WriteOutcome } from '@homeostat/store'
import { expect, test } from 'vitest'
import { type MemberServer, MemberServers } from './members.ts'

const EVENTS = { group: '', resource: 'events' }
const TTL_MS = 10_000
/** More than one batch of deletions. */
const MANY = 100

interface Deletion {
  readonly by: string
  readonly key: string
  readonly outcome: WriteOutcome['type']
}

/** Servers that tell who tried to delete which Event, and what came of it. */
class ExpiringServers {
  readonly store = new MemoryStore({ shared: true })
  readonly members = new MemberServers(this.store)
  readonly deletions: Deletion[] = []
  /** Deletions of these servers are under way until it resolves. */
  readonly #held = new Map<string, Promise<void>>()
  /** How many of them are. */
  waiting = 0

  async start(...ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.members.start(id, { store: this.#storeOf(id), eventTtlMs: TTL_MS })
    await this.members.until(() => this.leader() !== undefined)
  }

  leader(among: readonly MemberServer[] = this.members.all): MemberServer | undefined {
    return among.find(({ server }) => server.duties.leader('garbage') === 'here')
  }

  hold(id: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held.set(id, promise)
    return resolve
  }

  async create(server: MemberServer, prefix: string, count = MANY): Promise<void> {
    const api = server.server.api({ username: 'test', manager: 'test' })
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' }
    const event = (n: number) => {
      const metadata = { namespace: 'default', name: `${prefix}-${n}` }
      return { apiVersion: 'v1', kind: 'Event', metadata, involvedObject, reason: 'Test' }
    }
    await Promise.all(Array.from({ length: count }, (_, n) => api.create(EVENTS, event(n))))
  }

  async names(prefix: string): Promise<string[]> {
    const { entries } = await this.store.range(`core/events/default/${prefix}-`, { limit: 1000 })
    return entries.map(({ key }) => key)
  }

  #storeOf(id: string): MemoryStore {
    const remove: MemoryStore['delete'] = async (key, ...rest) => {
      if (!key.startsWith('core/events/default/')) return this.store.delete(key, ...rest)
      const held = this.#held.get(id)
      this.waiting++
      await held
      this.waiting--
      const outcome = await this.store.delete(key, ...rest)
      this.deletions.push({ by: id, key, outcome: outcome.type })
      return outcome
    }
    return new Proxy(this.store, {
      get(target, name) {
        if (name === 'delete') return remove
        const value = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
}

const committed = ({ deletions }: ExpiringServers) =>
  deletions.filter(({ outcome }) => outcome === 'committed').map(({ key }) => key)

test('one server deletes them, each once, whichever server wrote them', async () => {
  const servers = new ExpiringServers()
  await servers.start('a', 'b', 'c')
  const { members, deletions } = servers
  for (const one of members.all) await servers.create(one, one.id)
  await members.until(() => deletions.length >= 3 * MANY)
  for (const { id } of members.all) expect(await servers.names(id)).toEqual([])
  expect(new Set(deletions.map(({ key }) => key)).size).toBe(deletions.length)
  expect(new Set(deletions.map(({ by }) => by))).toEqual(new Set([servers.leader()?.id]))
  expect(committed(servers)).toHaveLength(3 * MANY)
})

test('another goes on when that server is gone, and what the first still tries deletes nothing twice', async () => {
  const servers = new ExpiringServers()
  await servers.start('a', 'b')
  const { members, deletions } = servers
  const first = servers.leader() as MemberServer
  const others = members.all.filter((one) => one !== first)
  const [second] = others as [MemberServer]
  await servers.create(second, 'early')
  const release = servers.hold(first.id)
  await members.until(() => servers.waiting > 0)
  // From here its time stands still, with deletions on their way.
  await members.until(() => servers.leader(others) === second, others)
  await members.until(() => deletions.length >= MANY, others)
  expect(await servers.names('early')).toEqual([])
  expect(committed(servers)).toHaveLength(MANY)
  // Of the same names, and young: a late deletion must not take them.
  await servers.create(second, 'early')
  const late = servers.waiting
  release()
  await expect.poll(() => deletions.length).toBe(MANY + late)
  expect(await servers.names('early')).toHaveLength(MANY)
  expect(deletions.filter(({ by }) => by === first.id).every(({ outcome }) => outcome !== 'committed')).toBe(true)
  await members.until(() => committed(servers).length >= 2 * MANY)
  for (let round = 0; round < 100; round++) await turn()
  expect(committed(servers)).toHaveLength(2 * MANY)
  expect(await servers.names('early')).toEqual([])
})
