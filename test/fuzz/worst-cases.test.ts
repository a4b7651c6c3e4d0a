// The costliest requests that can be made within the limits: no turn of the event loop takes longer than 100 ms.
// They take turns: each run does as many as there is time for, from a random one on. FUZZ_SECONDS gives time for all.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startServerThread } from './server-thread.ts'
import { client, define, type WorstCase } from './worst-case.ts'
import { worstCases } from './worst-cases.ts'

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 12)
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * worstCases.length))
const MAX_BLOCKED_MS = 100
const TRIES = 3

const directory = mkdtempSync(join(tmpdir(), 'homeostat-fuzz-'))
const server = await startServerThread(directory)
const { send } = client(server.url)

afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

it('the worst that can be sent holds nobody up', { timeout: SECONDS * 1000 + 60_000 }, async () => {
  await define({ send })
  const end = performance.now() + SECONDS * 1000
  for (let i = 0; i < worstCases.length && performance.now() < end; i++) {
    const worst = worstCases[(SEED + i) % worstCases.length]
    if (worst) await expectQuick(worst)
  }
  expect((await send('GET', '/readyz')).text).toBe('ok')
})

/** A busy machine, or a garbage collection, may make anything slow once: what is slow must be slow each time. */
async function expectQuick(worst: WorstCase): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < TRIES && least > MAX_BLOCKED_MS; i++) {
    await worst.prepare?.({ send })
    await server.state()
    const { status, text } = await worst.act({ send })
    expect(status, `${worst.name}: ${text.slice(0, 300)}`).not.toBe(503)
    expect(text.includes('Internal error'), `${worst.name}: ${text.slice(0, 300)}`).toBe(false)
    least = Math.min(least, (await server.state()).blocked)
  }
  expect(least, worst.name).toBeLessThan(MAX_BLOCKED_MS)
}
