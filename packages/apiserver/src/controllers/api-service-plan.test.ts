import { describe, expect, it } from 'vitest'
import { planApiServices } from './api-service-plan.ts'

const core = { group: '', version: 'v1', custom: false }
const OWN = { group: 'apiregistration.k8s.io', version: 'v1', custom: false }
const gadgets = { group: 'example.com', version: 'v2', custom: true }

describe('the plan for APIServices', () => {
  it('has one for each group and version, however many kinds it has', () => {
    const { create, remove } = planApiServices([core, core, OWN, gadgets], new Set())
    expect(remove).toEqual([])
    expect(create.map(({ metadata, spec }) => [metadata.name, metadata.labels, spec])).toEqual([
      [
        'v1.',
        { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' },
        { version: 'v1', groupPriorityMinimum: 18000, versionPriority: 1 },
      ],
      [
        'v2.example.com',
        { 'kube-aggregator.kubernetes.io/automanaged': 'true' },
        { group: 'example.com', version: 'v2', groupPriorityMinimum: 1000, versionPriority: 100 },
      ],
    ])
  })

  it('leaves what is there alone and removes what is no longer served', () => {
    expect(planApiServices([core], new Set(['v1.', 'v2.example.com']))).toEqual({
      create: [],
      remove: ['v2.example.com'],
    })
  })
})
