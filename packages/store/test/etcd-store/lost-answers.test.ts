// Answers that are lost, and requests that arrive late: every write is applied once at most, and its outcome is true. The faults are
// made around a real client on a real etcd.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { note, text, value } from '../../src/conformance/harness.ts'
import type { Entry, Store, WriteOutcome } from '../../src/contract.ts'
import { connectEtcd } from '../../src/etcd/client/connect.ts'
import type { EtcdClient, TxnRequest } from '../../src/etcd/client/contract.ts'
import { EtcdError } from '../../src/etcd/client/etcd-error.ts'
import { openOn } from '../../src/etcd/open.ts'
import { etcdMissing } from '../etcd/etcd-program.ts'
import { clusterForTests, logOf, opened } from './cluster.ts'

type Fate = 'answered' | 'answer lost' | 'request lost' | 'request late'

/** What becomes of the transactions, in turn; all further ones are answered. A late one arrives after a later one was answered. */
class Fates {
  readonly #client: EtcdClient
  readonly #fates: Fate[]
  #late: TxnRequest[] = []

  constructor(client: EtcdClient, fates: readonly Fate[]) {
    this.#client = client
    this.#fates = [...fates]
  }

  get client(): EtcdClient {
    return { ...bound(this.#client), txn: (request) => this.#txn(request) }
  }

  /** No more faults. */
  clear(): void {
    this.#fates.length = 0
  }

  async arriveLate(): Promise<void> {
    for (const request of this.#late.splice(0)) await this.#client.txn(request)
  }

  async #txn(request: TxnRequest) {
    const fate = request.failure === undefined ? 'answered' : (this.#fates.shift() ?? 'answered')
    if (fate === 'answered') {
      const response = await this.#client.txn(request)
      await this.arriveLate()
      return response
    }
    if (fate === 'answer lost') await this.#client.txn(request)
    if (fate === 'request late') this.#late.push(request)
    throw new EtcdError('timeout', fate, { maybeApplied: true })
  }
}

function bound(client: EtcdClient): EtcdClient {
  return {
    range: (...args) => client.range(...args),
    txn: (...args) => client.txn(...args),
    compact: (...args) => client.compact(...args),
    watch: (...args) => client.watch(...args),
    status: (...args) => client.status(...args),
    alarms: (...args) => client.alarms(...args),
    members: (...args) => client.members(...args),
    health: () => client.health(),
    stats: () => client.stats(),
    close: () => client.close(),
  }
}

const fate = fc.constantFrom<Fate>('answered', 'answer lost', 'request lost', 'request late')

describe.skipIf(etcdMissing() !== undefined)('answers that are lost', () => {
  const tests = clusterForTests({ members: 1 })

  it('change nothing about what a writer is told, however many are lost', async () => {
    const plans = fc.array(fc.record({ key: fc.constantFrom('a', 'b'), remove: fc.boolean() }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(plans, plans, fc.array(fate, { maxLength: 30 }), async (one, two, fates) => {
        const options = { ...tests.fresh(), settleTimeoutMs: 60_000 }
        const faults = new Fates(await connectEtcd(options), fates)
        const faulty = await openOn(faults.client, options)
        const other = await openOn(await connectEtcd(options), options)
        try {
          const done = (await Promise.all([run(faulty, one, 'one'), run(other, two, 'two')])).flat()
          await faults.arriveLate()
          await check(other, done)
        } finally {
          await Promise.all([faulty.close(), other.close()])
        }
      }),
      { numRuns: 15 },
    )
  })

  it('are unknown after the time for settling, and the store goes on', async () => {
    const options = { ...tests.fresh(), settleTimeoutMs: 100 }
    const faults = new Fates(
      await connectEtcd(options),
      Array.from({ length: 50 }, (): Fate => 'request lost'),
    )
    const store = await openOn(faults.client, options)
    try {
      expect(await store.put('a', value('x'), undefined, note)).toMatchObject({ type: 'unknown' })
      faults.clear()
      expect(await store.put('a', value('x'), undefined, note)).toMatchObject({ type: 'committed' })
    } finally {
      await store.close()
    }
  })

  it('never bring an object back that was deleted: a late create is refused', async () => {
    const options = tests.fresh()
    const late: TxnRequest[] = []
    const client = await connectEtcd(options)
    const txn = (request: TxnRequest) => {
      late.push(request)
      return client.txn(request)
    }
    const recording = { ...bound(client), txn }
    const store = await openOn(recording, options)
    const first = await store.put('a', value('x'), undefined, note)
    const create = late.at(-1) as TxnRequest
    if (first.type !== 'committed') throw first
    await store.delete('a', { key: 'a', revision: first.revision, value: undefined }, note)
    expect((await client.txn(create)).succeeded).toBe(false)
    expect(await store.get('a')).toBeUndefined()
    await store.close()
  })

  it('leave a fence in force: what another server fenced off is not written by a repetition', async () => {
    const options = tests.fresh()
    const other = await opened(options)
    const lease = await other.put('lease', value('1'), undefined, note)
    if (lease.type !== 'committed') throw lease
    const client = await connectEtcd(options)
    let moved = false
    const losing = {
      ...bound(client),
      txn: async (request: TxnRequest) => {
        if (moved || request.failure === undefined) return client.txn(request)
        moved = true
        await other.put('lease', value('2'), { key: 'lease', revision: lease.revision, value: undefined }, note)
        throw new EtcdError('timeout', 'the request is lost', { maybeApplied: true })
      },
    }
    const store = await openOn(losing, options)
    const fences = [{ key: 'lease', revision: lease.revision }]
    expect(await store.put('a', value('x'), undefined, note, fences)).toEqual({ type: 'fenced', key: 'lease' })
    expect(await other.get('a')).toBeUndefined()
    await store.close()
  })
})

interface Done {
  readonly key: string
  readonly content: string | undefined
  readonly expected: Entry | undefined
  readonly outcome: WriteOutcome
}

async function run(store: Store, plan: readonly { key: string; remove: boolean }[], name: string): Promise<Done[]> {
  const done: Done[] = []
  for (const [index, { key, remove }] of plan.entries()) {
    const expected = await store.get(key)
    const content = remove && expected !== undefined ? undefined : `${name} ${index}`
    const outcome =
      content === undefined && expected !== undefined
        ? await store.delete(key, expected, note)
        : await store.put(key, value(content ?? ''), expected, note)
    done.push({ key, content, expected, outcome })
  }
  return done
}

/** The log has exactly what was told to be committed, each once, and each upon what its writer expected. */
async function check(store: Store, done: readonly Done[]): Promise<void> {
  for (const { outcome } of done) expect(['committed', 'conflict']).toContain(outcome.type)
  const told = done.flatMap(({ outcome, ...write }) =>
    outcome.type === 'committed' ? [{ ...write, revision: outcome.revision }] : [],
  )
  const log = await logOf(store)
  expect(
    log.map(({ revision, key, value: held, previous }) => [revision, key, text(held), previous?.revision]),
  ).toEqual(
    told
      .sort((a, b) => a.revision - b.revision)
      .map(({ revision, key, content, expected }) => [revision, key, content, expected?.revision]),
  )
}
