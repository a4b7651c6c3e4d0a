// Check 14: a throwing subresource sets its own condition False/failed with the message while the others still reconcile, and it is
// retried with growing delay until it succeeds.

import type { LooseObject } from '@homeostat/client'
import { CustomResource, createCustomResourceDefinition } from '@homeostat/operator'
import { testEnv } from '@homeostat/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { conditionsOf } from './guide-server.fixture.ts'

const spec = z.object({})
const ref = { apiVersion: 'example.com/v1', kind: 'Fragile', name: 'one', namespace: 'default' }

test('check 14', async () => {
  const env = await testEnv({ frozen: true })
  onTestFinished(() => env.close())
  const tries: number[] = []
  let isBroken = true
  class Fragile extends CustomResource<typeof spec> {
    async reconcile() {
      await this.reconcileSubresource('Broken', async () => {
        tries.push(env.clock.now())
        if (isBroken) throw new Error('no connection')
        return { ready: true }
      })
      await this.reconcileSubresource('Sturdy', async () => ({ ready: true }))
    }
  }
  const kind = createCustomResourceDefinition({
    group: 'example.com',
    version: 'v1',
    kind: 'Fragile',
    spec,
    create: (options) => new Fragile(options),
  })
  // Without jitter the delays are exact.
  await env.run(kind, { name: 'fragile', random: () => 0.5 }).ready
  const { apiVersion, kind: named, ...metadata } = ref
  await env.apply({ apiVersion, kind: named, metadata, spec: {} })
  const failed = await env.until<LooseObject>(ref, (object) => conditionsOf(object).Broken === 'False Failed')
  expect(conditionsOf(failed)).toMatchObject({ Sturdy: 'True Ready', Ready: expect.stringMatching(/^False/) })
  expect(failed.status?.conditions?.find(({ type }) => type === 'Broken')?.message).toBe('no connection')
  for (let second = 0; second < 60; second++) await env.advance('500ms')
  const delays = tries.slice(1).map((time, index) => time - (tries[index] ?? 0))
  expect(delays.length).toBeGreaterThan(3)
  for (const [index, delay] of delays.entries()) expect(delay).toBeGreaterThanOrEqual(delays[index - 1] ?? 0)
  expect(delays.at(-1)).toBeGreaterThan((delays[0] ?? 0) * 4)
  isBroken = false
  await env.advance('10m')
  await env.until<LooseObject>(ref, (object) => conditionsOf(object).Ready === 'True Ready')
})
