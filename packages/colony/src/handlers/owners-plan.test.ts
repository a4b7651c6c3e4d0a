import type { KubeObject } from '@homeostat/meta'
import { expect, it } from 'vitest'
import type { HandledKind } from './handled-kind.ts'
import { type OwnerLookup, planOwners } from './owners-plan.ts'

const kindOf = (kind: string, group: string, namespaced = true): HandledKind => ({
  id: `${group}/${kind.toLowerCase()}s`,
  resource: { group, resource: `${kind.toLowerCase()}s` },
  apiVersion: `${group}/v1`,
  kind,
  namespaced,
  handler: { executorType: 'e', functionName: 'f' },
  sharesConditions: true,
})
const kinds = [kindOf('App', 'a.io'), kindOf('Zone', 'a.io', false), kindOf('Twin', 'a.io'), kindOf('Twin', 'b.io')]
const there: Readonly<Record<string, object>> = {
  'App dev/shop': { uid: 'u-shop' },
  'Zone north': { uid: 'u-north' },
  'App dev/ending': { uid: 'u-ending', deletionTimestamp: 'x' },
  'Twin dev/t': { uid: 'u-t' },
}
const lookup: OwnerLookup = {
  kinds: (word, group) =>
    kinds.filter(
      ({ kind, resource }) =>
        kind.toLowerCase() === word.toLowerCase() && (group === undefined || group === resource.group),
    ),
  find({ kind, apiVersion }, { namespace, name }) {
    const metadata = there[`${kind} ${namespace ? `${namespace}/` : ''}${name}`]
    return metadata && ({ apiVersion, kind, metadata: { name, ...metadata } } as KubeObject)
  },
}

function plan(text: string | undefined, metadata: object = { namespace: 'dev' }) {
  const annotations = text === undefined ? {} : { annotations: { ownerReferences: text } }
  return planOwners({ apiVersion: 'x.io/v1', kind: 'X', metadata: { name: 'x', ...annotations, ...metadata } }, lookup)
}

const shop = { apiVersion: 'a.io/v1', kind: 'App', name: 'shop', uid: 'u-shop' }

it.each([
  ['one that is there', '[{"kind":"App","name":"shop"}]', [shop], undefined],
  ['in another case', '[{"kind":"app","name":"shop"}]', [shop], undefined],
  ['none', '[]', [], undefined],
  ['one that is not there', '[{"kind":"App","name":"other"}]', [], 'OwnerNotFound'],
  ['one that is about to go', '[{"kind":"App","name":"ending"}]', [], 'OwnerNotFound'],
  ['one of two', '[{"kind":"App","name":"other"},{"kind":"App","name":"shop"}]', [shop], 'OwnerNotFound'],
  ['an unknown kind', '[{"kind":"Nobody","name":"x"}]', [], 'UnknownKind'],
  ['an ambiguous kind', '[{"kind":"Twin","name":"t"}]', [], 'AmbiguousKind'],
  [
    'a kind of a group',
    '[{"kind":"Twin","name":"t","apiVersion":"b.io/v1"}]',
    [{ apiVersion: 'b.io/v1', kind: 'Twin', name: 't', uid: 'u-t' }],
    undefined,
  ],
  [
    'one without a namespace',
    '[{"kind":"Zone","name":"north"}]',
    [{ apiVersion: 'a.io/v1', kind: 'Zone', name: 'north', uid: 'u-north' }],
    undefined,
  ],
  ['no JSON', '[', [], 'InvalidAnnotation'],
  ['no list', '"x"', [], 'InvalidAnnotation'],
  ['a wrong name', '[{"kind":"App","name":3}]', [], 'InvalidAnnotation'],
  ['nothing in the list', '[null]', [], 'InvalidAnnotation'],
])('%s', (_, text, add, reason) => {
  expect(plan(text)).toMatchObject({ add })
  expect(plan(text)?.problem?.reason).toBe(reason)
})

it('are not added twice', () => {
  expect(plan('[{"kind":"App","name":"shop"}]', { namespace: 'dev', ownerReferences: [shop] })?.add).toEqual([])
})

it('with a namespace cannot own what has none', () => {
  const annotations = { ownerReferences: '[{"kind":"App","name":"shop"}]' }
  expect(plan(undefined, { annotations })?.problem?.reason).toBe('InvalidOwner')
})

it('say which names and kinds to wait for', () => {
  expect(plan('[{"kind":"App","name":"other"},{"kind":"App","name":"shop"}]')?.awaited).toEqual(['app', 'other'])
  expect(plan(undefined)).toBeUndefined()
})
