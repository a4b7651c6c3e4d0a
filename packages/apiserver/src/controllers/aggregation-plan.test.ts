import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { aggregatedRules } from './aggregation-plan.ts'

const rule = (...verbs: string[]) => ({ verbs, apiGroups: [''], resources: ['pods'] })

function role(name: string, labels: Record<string, string>, rules: object[], more: object = {}): KubeObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name, labels }, rules, ...more }
}

function made(selectors: object[], rules: object[] = []): KubeObject {
  return role('made', { to: 'it' }, rules, { aggregationRule: { clusterRoleSelectors: selectors } })
}

const parts = [
  role('z', { to: 'it' }, [rule('get')]),
  role('b', { to: 'it', extra: 'yes' }, [rule('list'), rule('get')]),
  role('c', { to: 'other' }, [rule('watch')]),
]

describe('the rules of a role that is made of others', () => {
  const rows: [string, object[], object[]][] = [
    ['are theirs in the order of their names, each once', [{ matchLabels: { to: 'it' } }], [rule('list'), rule('get')]],
    [
      'follow the order of the selectors first',
      [{ matchLabels: { to: 'other' } }, { matchLabels: { to: 'it' } }],
      [rule('watch'), rule('list'), rule('get')],
    ],
    [
      'are selected by expressions too',
      [
        {
          matchExpressions: [
            { key: 'to', operator: 'In', values: ['it', 'other'] },
            { key: 'extra', operator: 'DoesNotExist' },
          ],
        },
      ],
      [rule('watch'), rule('get')],
    ],
    ['are all of all when nothing is asked of them', [{}], [rule('list'), rule('get'), rule('watch')]],
  ]
  it.each(rows)('%s', (_, selectors, wanted) => {
    const subject = made(selectors)
    expect(aggregatedRules(subject, [...parts, subject])).toEqual(wanted)
  })

  it('are left alone when they are right, and when the role is not made of others', () => {
    const right = made([{ matchLabels: { to: 'it' } }], [rule('list'), rule('get')])
    expect(aggregatedRules(right, [...parts, right])).toBeUndefined()
    expect(aggregatedRules(role('plain', {}, [rule('get')]), parts)).toBeUndefined()
    expect(aggregatedRules(made([], [rule('get')]), parts)).toEqual([])
  })
})
