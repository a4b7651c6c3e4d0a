// Random lives of ExecutorDeployments: however replicas and templates change, and whoever ends meanwhile, a run that succeeds
// leaves exactly what is wanted, and a deletion nothing.

import { colonyDefinitions } from '@homeostat/colony/kinds'
import { SimulatedRuntime } from '@homeostat/runtimes'
import { type TestEnv, testEnv } from '@homeostat/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DeploymentStatus } from './deployment-status.ts'
import { reconcileDeployment } from './reconcile.ts'
import { Targets } from './targets/targets.ts'
import { indexOf } from './targets/unit-identity.ts'

let env: TestEnv
beforeAll(async () => {
  env = await testEnv({ definitions: [...colonyDefinitions] })
})
afterAll(() => env.close())

interface Step {
  readonly replicas: number
  readonly batch: number
  readonly runtime: 'local' | 'docker'
  /** Which of those that run are gone before the next run. */
  readonly ends: readonly number[]
  /** The controller is another one from here on. */
  readonly restart: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  replicas: fc.nat(5),
  batch: fc.nat(1),
  runtime: fc.constantFrom('local', 'docker'),
  ends: fc.array(fc.nat(4), { maxLength: 2 }),
  restart: fc.boolean(),
})

it('a run that succeeds leaves what is wanted, and a deletion nothing', async () => {
  const live = async (steps: readonly Step[]) => {
    const runtimes = {
      local: new SimulatedRuntime({ startDelayMs: 0 }),
      docker: new SimulatedRuntime({ startDelayMs: 0 }),
    }
    const open = () =>
      new Targets({
        client: env.client,
        directory: '/nowhere',
        executorCommand: ['x'],
        localEnv: {},
        server: undefined,
        kubeconfig: undefined,
        settleMs: 0,
        waitMs: 0,
        openLocal: async () => runtimes.local,
        executorsOnline: async () => ({ has: () => true }),
        openDocker: async () => runtimes.docker,
      })
    let targets = open()
    let status: DeploymentStatus = {}
    let generation = 0
    const run = async (spec: object, deletion: object = {}) => {
      generation++
      const metadata = { name: 'ml', namespace: 'dev', uid: 'a1b2c3d4-0000', generation, ...deletion }
      const context = {
        kwargs: { metadata, spec, status },
        signal: new AbortController().signal,
        log() {},
        status(fields: object) {
          status = fields
        },
        requeueAfter() {},
      }
      await reconcileDeployment(context, { targets, allowCommands: false, say() {}, now: Date.now })
    }
    const specOf = ({ replicas, batch, runtime }: Step) => ({
      runtime,
      replicas,
      executorType: 'ml',
      image: 'ml:1',
      config: { env: { BATCH: String(batch) } },
    })
    for (const one of steps) {
      if (one.restart) targets = open()
      await run(specOf(one))
      const other = one.runtime === 'local' ? runtimes.docker : runtimes.local
      const units = await runtimes[one.runtime].list({})
      expect(units.map(({ phase }) => phase)).toEqual(units.map(() => 'running'))
      expect(units).toHaveLength(one.replicas)
      expect(new Set(units.map(indexOf)).size).toBe(one.replicas)
      expect(new Set(units.map(({ labels }) => labels['colonies.io/template-hash'])).size).toBeLessThanOrEqual(1)
      expect(await other.list({})).toEqual([])
      expect(status).toMatchObject({ phase: 'Running', ready: one.replicas, available: one.replicas })
      for (const end of one.ends) await runtimes[one.runtime].stop(units[end]?.id ?? '')
    }
    await run(steps.length > 0 ? specOf(steps[0] as Step) : {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })
    expect([await runtimes.local.list({}), await runtimes.docker.list({})]).toEqual([[], []])
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 6 }), live), { numRuns: 25 })
})
