import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { AUTO_UPDATE } from './bootstrap-objects.ts'
import { planRoleRepair } from './role-repair-plan.ts'

const rule = (verbs: string[], resources = ['pods'], more: object = {}) => ({
  verbs,
  apiGroups: [''],
  resources,
  ...more,
})
const wantedRules = [rule(['get', 'list'], ['pods', 'secrets']), { verbs: ['get'], nonResourceURLs: ['/version'] }]

function role(more: object, metadata: object = {}): KubeObject {
  const annotations = { [AUTO_UPDATE]: 'true' }
  return {
    apiVersion: 'v1',
    kind: 'ClusterRole',
    metadata: { name: 'r', labels: { a: 'b' }, annotations, ...metadata },
    ...more,
  }
}

describe('a role that every server has', () => {
  const wanted = role({ rules: wantedRules })

  it.each([
    ['has the very same rules', wantedRules],
    ['allows more', [...wantedRules, rule(['delete'])]],
    [
      'allows it in other words',
      [
        rule(['list'], ['secrets']),
        rule(['*'], ['pods']),
        rule(['get'], ['*']),
        { verbs: ['*'], nonResourceURLs: ['*'] },
      ],
    ],
  ])('is left alone when it %s', (_, rules) => {
    expect(planRoleRepair(role({ rules }), wanted)).toBeUndefined()
  })

  it.each([
    ['a verb', [rule(['get'], ['pods', 'secrets']), wantedRules[1]], [wantedRules[0]]],
    [
      'all but one name',
      [rule(['get', 'list'], ['pods', 'secrets'], { resourceNames: ['x'] }), wantedRules[1]],
      [wantedRules[0]],
    ],
    ['a path', [wantedRules[0]], [wantedRules[1]]],
    ['all', undefined, wantedRules],
  ])('gets the rules that it lacks: %s', (_, rules, added) => {
    expect(planRoleRepair(role({ rules }), wanted)).toMatchObject({ rules: [...(rules ?? []), ...added] })
  })

  it('gets labels that it lacks and keeps those of others', () => {
    const found = role({ rules: wantedRules }, { labels: { mine: 'yes' } })
    expect(planRoleRepair(found, wanted)).toMatchObject({ metadata: { labels: { mine: 'yes', a: 'b' } } })
  })

  it('is left alone when its annotation says so', () => {
    expect(planRoleRepair(role({ rules: [] }, { annotations: { [AUTO_UPDATE]: 'false' } }), wanted)).toBeUndefined()
  })

  it('keeps its rules when it is made of others', () => {
    const selector = { matchLabels: { x: 'y' } }
    const aggregate = role({ rules: wantedRules, aggregationRule: { clusterRoleSelectors: [selector] } })
    expect(
      planRoleRepair(role({ rules: [], aggregationRule: { clusterRoleSelectors: [selector] } }), aggregate),
    ).toBeUndefined()
    expect(planRoleRepair(role({ rules: [] }), aggregate)).toMatchObject({
      rules: [],
      aggregationRule: { clusterRoleSelectors: [selector] },
    })
  })
})

describe('a binding that every server has', () => {
  const group = { kind: 'Group', name: 'g' }
  const wanted = role({ subjects: [group], roleRef: { kind: 'ClusterRole', name: 'r' } })

  it('gets the subjects that it lacks', () => {
    const other = { kind: 'User', name: 'u' }
    expect(planRoleRepair({ ...wanted, subjects: [other] }, wanted)).toMatchObject({ subjects: [other, group] })
    expect(planRoleRepair({ ...wanted, subjects: [other, group] }, wanted)).toBeUndefined()
  })

  it('is made anew when it binds to another role', () => {
    expect(planRoleRepair({ ...wanted, roleRef: { kind: 'ClusterRole', name: 'other' } }, wanted)).toBe('replace')
  })
})
