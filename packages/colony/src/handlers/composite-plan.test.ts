import type { ApiObject } from '@homeostat/client'
import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { componentsReady, planComponents, type Verdict } from './composite-plan.ts'
import type { HandledKind } from './handled-kind.ts'

const kindOf = (kind: string, group: string, namespaced = true): HandledKind => ({
  id: `${group}/${kind.toLowerCase()}s`,
  resource: { group, resource: `${kind.toLowerCase()}s` },
  apiVersion: `${group}/v1`,
  kind,
  namespaced,
  handler: { executorType: 'e', functionName: 'f' },
  sharesConditions: true,
})
const kinds = [
  kindOf('Database', 'a.io'),
  kindOf('Zone', 'a.io', false),
  kindOf('Twin', 'a.io'),
  kindOf('Twin', 'b.io'),
]

function plan(components: unknown) {
  const shop: KubeObject = {
    apiVersion: 'app.io/v1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'dev' },
    spec: { components },
  }
  return planComponents(shop, (word, group) =>
    kinds.filter(
      ({ kind, resource }) =>
        kind.toLowerCase() === word.toLowerCase() && (group === undefined || group === resource.group),
    ),
  )
}

describe('components', () => {
  it.each([
    ['one', [{ kind: 'Database', spec: { a: 1 } }], ['a.io/v1 Database shop-database'], 'True/Resolved'],
    ['in lower case', [{ kind: 'database' }], ['a.io/v1 Database shop-database'], 'True/Resolved'],
    [
      'of one kind',
      [{ kind: 'Database' }, { kind: 'database' }, { kind: 'Database', name: 'audit' }],
      ['a.io/v1 Database shop-database', 'a.io/v1 Database shop-database-2', 'a.io/v1 Database shop-audit'],
      'True/Resolved',
    ],
    ['none', [], [], 'True/Resolved'],
    ['not given', undefined, [], 'True/Resolved'],
    [
      'of an unknown kind',
      [{ kind: 'Web' }, { kind: 'Database' }],
      ['a.io/v1 Database shop-database'],
      'False/UnknownKind',
    ],
    ['of an ambiguous kind', [{ kind: 'Twin' }], [], 'False/AmbiguousKind'],
    ['of a group', [{ kind: 'Twin', apiVersion: 'b.io/v1' }], ['b.io/v1 Twin shop-twin'], 'True/Resolved'],
    ['without a namespace', [{ kind: 'Zone' }], [], 'False/WrongScope'],
    ['no list', { kind: 'Database' }, [], 'False/InvalidComponents'],
    ['no kind', [{ spec: {} }], [], 'False/InvalidComponents'],
    ['nothing', [null], [], 'False/InvalidComponents'],
  ])('%s', (_, components, children, resolved) => {
    const { children: made, resolved: verdict } = plan(components)
    expect(made.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)).toEqual(children)
    expect(`${verdict.status}/${verdict.reason}`).toBe(resolved)
  })

  it('have a spec, if an empty one', () => {
    expect(plan([{ kind: 'Database' }]).children[0]).toMatchObject({ spec: {} })
  })
})

describe('the whole', () => {
  const child = (name: string, ready: string | undefined, observedGeneration = 1, metadata: object = {}): ApiObject =>
    ({
      apiVersion: 'a.io/v1',
      kind: 'Database',
      metadata: { name, generation: 1, ...metadata },
      status: { observedGeneration, ...(ready && { conditions: [{ type: 'Ready', status: ready }] }) },
    }) as ApiObject
  const resolved: Verdict = { status: 'True', reason: 'Resolved', message: '' }

  it.each([
    ['with nothing', [], 'True', ''],
    ['with all ready', [child('a', 'True'), child('b', 'True')], 'True', ''],
    ['with one that is not', [child('a', 'True'), child('b', 'False')], 'False', 'not ready: Database/b'],
    ['with one that says nothing', [child('a', undefined)], 'False', 'not ready: Database/a'],
    ['with one that speaks of the past', [child('a', 'True', 0)], 'False', 'not ready: Database/a'],
    ['with one that goes', [child('a', 'True', 1, { deletionTimestamp: 'x' })], 'False', 'not ready: Database/a'],
  ])('%s', (_, children, status, message) => {
    expect(componentsReady(children, resolved)).toMatchObject({ status, message })
  })

  it('is not ready while components are unknown', () => {
    const unknown: Verdict = { status: 'False', reason: 'UnknownKind', message: 'Web' }
    expect(componentsReady([child('a', 'True')], unknown)).toMatchObject({ status: 'False', message: 'Web' })
  })
})
