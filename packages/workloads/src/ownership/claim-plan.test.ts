import type { ApiObject } from '@homeostat/client'
import type { ObjectMeta } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { planClaims } from './claim-plan.ts'

const owner = (metadata: ObjectMeta = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', uid: 'me', ...metadata },
  spec: {
    selector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['x'] }] },
  },
})

function pod(owned: 'mine' | 'other' | 'nobody', labels: Record<string, string>, metadata: ObjectMeta = {}): ApiObject {
  const uid = owned === 'mine' ? 'me' : 'you'
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'x', uid, controller: true }]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { labels, ...(owned !== 'nobody' && { ownerReferences }), ...metadata },
  }
}

describe('a claim', () => {
  const selected = { app: 'web' }
  const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
  it.each([
    ['keeps what it owns and selects', owner(), pod('mine', selected), 'kept'],
    ['keeps what it owns while that goes', owner(), pod('mine', selected, going), 'kept'],
    ['lets go of what it does not select any more', owner(), pod('mine', { app: 'other' }), 'released'],
    ['heeds expressions', owner(), pod('mine', { ...selected, tier: 'x' }), 'released'],
    ['adopts what it selects and nobody owns', owner(), pod('nobody', selected), 'adopted'],
    ['does not adopt what goes', owner(), pod('nobody', selected, going), undefined],
    ['does not touch what others own', owner(), pod('other', selected), undefined],
    ['does not touch what it does not select', owner(), pod('nobody', {}), undefined],
    ['adopts nothing when it goes itself', owner(going), pod('nobody', selected), undefined],
    ['lets nothing go when it goes itself', owner(going), pod('mine', {}), undefined],
  ] as const)('%s', (_, claimant, candidate, expected) => {
    const claims = planClaims(claimant, [candidate])
    const found = (['kept', 'adopted', 'released'] as const).find((list) => claims[list].length > 0)
    expect(found).toBe(expected)
  })
})
