// The costliest requests that can be made within the limits: no turn of the event loop takes more steps than fit into
// 100 ms. Steps are counted, so that neither a busy machine nor a garbage collection matters.
// They take turns: each run does as many as there is time for, from a random one on. FUZZ_SECONDS gives time for all.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { MAX_STEPS, MAX_TOTAL, startServerThread } from './server-thread.ts'
import { client, define, type WorstCase } from './worst-case.ts'
import { worstCases } from './worst-cases.ts'

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 12)
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * worstCases.length))

const directory = mkdtempSync(join(tmpdir(), 'homeostat-fuzz-'))
const server = await startServerThread(directory)
const { send } = client(server.url)

afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

it('the worst that can be sent holds nobody up', { timeout: SECONDS * 1000 + 300_000 }, async () => {
  await define({ send })
  const end = performance.now() + SECONDS * 1000
  for (let i = 0; i < worstCases.length && performance.now() < end; i++) {
    const worst = worstCases[(SEED + i) % worstCases.length]
    if (worst) await expectQuick(worst)
  }
  expect((await send('GET', '/readyz')).text).toBe('ok')
})

async function expectQuick(worst: WorstCase): Promise<void> {
  await worst.prepare?.({ send })
  await server.state()
  const { status, text } = await worst.act({ send })
  expect(status, `${worst.name}: ${text.slice(0, 300)}`).not.toBe(503)
  expect(text.includes('Internal error'), `${worst.name}: ${text.slice(0, 300)}`).toBe(false)
  const { steps, total } = await server.state()
  expect(steps, worst.name).toBeLessThan(worst.maxSteps ?? MAX_STEPS)
  expect(total, worst.name).toBeLessThan(MAX_TOTAL)
}
