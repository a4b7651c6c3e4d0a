// Rollouts with any numbers and any changes on the way: they keep their bounds and end where they should.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deployment } from '../kinds.ts'
import { deployment, RolloutWorld, template } from './rollout.fixture.ts'
import { rolloutBounds } from './rollout-bounds.ts'

function rolledOut(spec: Deployment['spec'] = {}): RolloutWorld {
  const world = new RolloutWorld(deployment(spec))
  world.settle()
  return world
}

describe('any rollout', () => {
  const amount = fc.oneof(
    fc.integer({ min: 0, max: 6 }),
    fc.integer({ min: 0, max: 100 }).map((n) => `${n}%`),
  )
  const change = fc.oneof(
    fc.record({ replicas: fc.integer({ min: 0, max: 12 }) }),
    fc.constantFrom('web:1', 'web:2', 'web:3').map((image) => ({ template: template(image) })),
  )

  it('settles on what was wanted, whatever changed on the way', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 12 }),
        amount,
        amount,
        fc.array(fc.record({ change, steps: fc.integer({ min: 0, max: 4 }) }), { maxLength: 5 }),
        (replicas, maxSurge, maxUnavailable, changes) => {
          const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }
          const world = rolledOut({ replicas, strategy })
          for (const { change: spec, steps } of changes) {
            world.change(spec)
            for (let step = 0; step < steps; step++) {
              world.step()
              world.makePods()
            }
          }
          world.settle()
          const { spec } = world.deployment
          const wanted = spec?.replicas ?? 0
          const image = spec?.template?.spec?.containers?.[0]?.image ?? ''
          expect(Object.entries(world.sizes()).filter(([, size]) => size > 0)).toEqual(
            wanted > 0 ? [[image, wanted]] : [],
          )
          expect(world.deployment.status?.conditions?.find(({ type }) => type === 'Progressing')?.reason).toBe(
            'NewReplicaSetAvailable',
          )
        },
      ),
      { numRuns: 200 },
    )
  })

  it('never has more pods than the surge allows, nor fewer available ones than it must', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), amount, amount, (replicas, maxSurge, maxUnavailable) => {
        const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }
        const world = rolledOut({ replicas, strategy })
        const bounds = rolloutBounds(world.deployment)
        world.change({ template: template('web:2') })
        world.settle([], () => {
          const all = Object.values(world.sizes()).reduce((sum, size) => sum + size, 0)
          expect(all).toBeLessThanOrEqual(bounds.replicas + bounds.maxSurge)
          // Pods of a set that shrank go at once; those of one that grew are not there yet.
          const available = world.sets.reduce(
            (sum, { spec, status }) => sum + Math.min(spec?.replicas ?? 0, status?.availableReplicas ?? 0),
            0,
          )
          expect(available).toBeGreaterThanOrEqual(bounds.replicas - bounds.maxUnavailable)
        })
      }),
      { numRuns: 200 },
    )
  })
})
