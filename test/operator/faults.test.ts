// A whole operator behind every fault of a network: what it was told of, it did, and in the end all is as declared.

import { ManualClock, silentLog } from '@homeostat/base'
import { type ApiObject, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { operator, run } from '@homeostat/operator'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { FAULTS, FaultProxy } from '../client/informer/fault-proxy.ts'
import { servedClient } from '../client/served-client.ts'

const API_VERSION = 'faults.homeostat.dev/v1'
const NAMES = 8

interface Note extends ApiObject {
  spec: { text: string; round: number }
  status?: { round?: number }
}

interface Copy extends ApiObject {
  data?: Record<string, string>
}

it.each([1, 2])('an operator behind every fault does all that was declared, in order (seed %i)', async (seed) => {
  const random = randomFrom(seed)
  const { client, url, close } = await servedClient()
  const proxy = await FaultProxy.start(Number(new URL(url).port), random)
  const clock = new ManualClock(Date.now(), { runs: true })
  const seen = new Map<string, number[]>()
  const note = operator(
    `${API_VERSION}/Note`,
    { spec: z.object({ text: z.string(), round: z.int() }), status: z.object({ round: z.int() }) },
    ({ metadata, spec, child }) => {
      const { uid = '' } = metadata
      seen.set(uid, [...(seen.get(uid) ?? []), spec.round])
      return { children: [child('v1', 'ConfigMap', { data: { text: spec.text } })], status: { round: spec.round } }
    },
  )
  const through = createClient(nodeTransport({ url: proxy.url }))
  const running = run(note, {
    client: through,
    clock,
    random,
    backoff: { min: '1ms', max: '50ms' },
    log: silentLog,
    name: 'notes',
  })
  onTestFinished(async () => {
    await running.close()
    through.close()
    await proxy.close()
    await close()
  })
  await running.ready
  const notes = client.resourceOf<Note>(API_VERSION, 'Note')
  const rounds = new Map<string, number>()
  let count = 0
  const write = async (times: number) => {
    for (let i = 0; i < times; i++) {
      const name = `note-${Math.floor(random() * NAMES)}`
      const metadata = { name, namespace: 'default' }
      count++
      if (rounds.has(name) && random() < 0.25) {
        await notes.delete(metadata)
        rounds.delete(name)
      } else {
        const spec = { text: `line\u2028separator ${count}`, round: count }
        await notes.apply(
          { apiVersion: API_VERSION, kind: 'Note', metadata, spec },
          { fieldManager: 'writer', force: true },
        )
        rounds.set(name, count)
      }
    }
  }
  for (const fault of FAULTS) {
    proxy.inject(fault)
    if (fault.includes('answer')) proxy.cut()
    for (let turn = 0; turn === 0 || (fault !== 'none' && proxy.struck < 1); turn++) {
      await write(3)
      // Silence and retries are a matter of time, which belongs to the test.
      clock.advance(turn % 5 === 4 ? 75_000 : 100)
    }
  }
  proxy.inject('none')
  await write(1)
  clock.advance(75_000)
  await expect
    .poll(async () => {
      clock.advance(100)
      const { items } = await notes.list({ namespace: 'default' })
      return items.map(({ metadata, status }) => `${metadata.name} ${status?.round}`).sort()
    }, PATIENT)
    .toEqual([...rounds].map(([name, round]) => `${name} ${round}`).sort())
  await expect
    .poll(async () => {
      const { items } = await client.resourceOf<Copy>('v1', 'ConfigMap').list({ namespace: 'default' })
      return items
        .flatMap(({ metadata, data }) => (data?.text === undefined ? [] : [`${metadata.name} ${data.text}`]))
        .sort()
    }, PATIENT)
    .toEqual([...rounds].map(([name, round]) => `${name} line\u2028separator ${round}`).sort())
  for (const [uid, told] of seen) expect(told, uid).toEqual([...told].sort((a, b) => a - b))
})

const PATIENT = { timeout: 120_000 }

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
