import { cpuMs } from '@homeostat/base/testing/cpu-time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../json/json-value.ts'
import { ANY, type ListType, METADATA_TYPE, type MergeType, mapType, SCALAR } from '../merge/merge-type.ts'
import { isStatusError } from '../status/status-error.ts'
import { applyStrategicMergePatch } from './strategic-merge-patch.ts'

const merged = (items: MergeType, mergeKey?: string): ListType => ({
  kind: 'list',
  list: 'atomic',
  keys: [],
  items,
  patch: { merge: true, ...(mergeKey && { mergeKey }), retainKeys: false, replace: false },
})
const plain = (items: MergeType): ListType => ({ kind: 'list', list: 'atomic', keys: [], items })
const port = mapType({ containerPort: SCALAR, protocol: SCALAR, name: SCALAR })
const container = mapType({ name: SCALAR, image: SCALAR, args: plain(SCALAR), ports: merged(port, 'containerPort') })
const spec = mapType({
  containers: merged(container, 'name'),
  tolerations: plain(ANY),
  strategy: mapType({ type: SCALAR, rollingUpdate: ANY }),
  whole: mapType({ a: SCALAR }, { patch: { merge: false, retainKeys: false, replace: true } }),
  keyless: merged(ANY),
})
const TYPE = mapType({ metadata: METADATA_TYPE, spec, data: mapType({}, { others: SCALAR }) })

const apply = (doc: JsonValue, patch: JsonValue) => applyStrategicMergePatch(doc, patch, TYPE)
const onSpec = (doc: JsonValue, patch: JsonValue) => (apply({ spec: doc }, { spec: patch }) as { spec: JsonValue }).spec
const finalizers = (doc: JsonValue, patch: { [key: string]: JsonValue }) =>
  (apply({ metadata: { finalizers: doc } }, { metadata: patch }) as { metadata: { finalizers?: JsonValue } }).metadata
    .finalizers

describe('fields', () => {
  it('merge objects, replace scalars and delete at null', () => {
    const doc = { data: { a: '1', b: '2', c: '3' } }
    expect(apply(doc, { data: { a: '9', b: null, d: '4', e: null } })).toEqual({ data: { a: '9', c: '3', d: '4' } })
  })

  it('drop nulls and objects with a directive from what is new', () => {
    const patch = { strategy: { type: 'x', rollingUpdate: { a: null, b: { $patch: 'delete' }, c: [{ d: null }] } } }
    expect(onSpec({}, patch)).toEqual({ strategy: { type: 'x', rollingUpdate: { c: [{}] } } })
    expect(onSpec({}, { strategy: { $patch: 'delete' } })).toEqual({})
  })

  it('are replaced where the type says so, or the patch', () => {
    expect(onSpec({ whole: { b: 1 } }, { whole: { a: 1 } })).toEqual({ whole: { a: 1 } })
    expect(onSpec({ strategy: { type: 'x' } }, { strategy: { $patch: 'replace', rollingUpdate: {} } })).toEqual({
      strategy: { rollingUpdate: {} },
    })
    expect(onSpec({ strategy: { type: 'x' } }, { strategy: { $patch: 'delete' } })).toEqual({ strategy: {} })
  })

  it('go unless $retainKeys names them', () => {
    const doc = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }
    const patch = { strategy: { $retainKeys: ['type'], type: 'Recreate' } }
    expect(onSpec(doc, patch)).toEqual({ strategy: { type: 'Recreate' } })
  })
})

describe('lists', () => {
  it('are replaced when the type has no merge strategy', () => {
    expect(onSpec({ tolerations: [{ key: 'a' }] }, { tolerations: [{ key: 'b' }] })).toEqual({
      tolerations: [{ key: 'b' }],
    })
  })

  it('of objects merge by key, and what is new comes first', () => {
    const doc = { containers: [{ name: 'a', image: '1', args: ['x'] }, { name: 'b' }] }
    expect(onSpec(doc, { containers: [{ name: 'new' }, { name: 'a', image: '2' }] })).toEqual({
      containers: [{ name: 'new' }, { name: 'a', image: '2', args: ['x'] }, { name: 'b' }],
    })
  })

  it('change the first of several items with one key', () => {
    const ports = [
      { containerPort: 53, protocol: 'UDP' },
      { containerPort: 53, protocol: 'TCP' },
    ]
    const patch = { containers: [{ name: 'a', ports: [{ containerPort: 53, name: 'dns' }] }] }
    expect(onSpec({ containers: [{ name: 'a', ports }] }, patch)).toEqual({
      containers: [{ name: 'a', ports: [{ containerPort: 53, protocol: 'UDP', name: 'dns' }, ports[1]] }],
    })
  })

  it('lose items with $patch: delete and everything with $patch: replace', () => {
    const doc = { containers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }
    const deleted = { containers: [{ name: 'b', $patch: 'delete' }] }
    expect(onSpec(doc, deleted)).toEqual({ containers: [{ name: 'a' }, { name: 'c' }] })
    const replaced = { containers: [{ name: 'z' }, { $patch: 'replace' }, { name: 'a' }] }
    expect(onSpec(doc, replaced)).toEqual({ containers: [{ name: 'z' }, { name: 'a' }] })
  })

  it('of scalars are sets', () => {
    expect(finalizers(['a', 'b', 'c'], { finalizers: ['c', 'd', 'a'] })).toEqual(['b', 'c', 'd', 'a'])
    expect(finalizers(['a', 'b', 'c'], { '$deleteFromPrimitiveList/finalizers': ['b', 'q'] })).toEqual(['a', 'c'])
    expect(finalizers(['a'], { '$deleteFromPrimitiveList/finalizers': null })).toBeUndefined()
  })

  it('stand in the order of $setElementOrder, with items it does not name where they were', () => {
    const doc = { containers: [{ name: 'a' }, { name: 'mine' }, { name: 'b' }] }
    const patch = {
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'new' }, { name: 'a' }],
      containers: [{ name: 'new', image: 'x' }],
    }
    expect(onSpec(doc, patch)).toEqual({
      containers: [{ name: 'mine' }, { name: 'b' }, { name: 'new', image: 'x' }, { name: 'a' }],
    })
    expect(finalizers(['a', 'b'], { '$setElementOrder/finalizers': ['b', 'a'] })).toEqual(['b', 'a'])
  })

  it('put what replaces a deleted item into its gap', () => {
    const doc = { containers: [{ name: 'a' }, { name: 'b' }] }
    const patch = {
      '$setElementOrder/containers': [{ name: 'new' }],
      containers: [{ name: 'new' }, { name: 'b', $patch: 'delete' }],
    }
    expect(onSpec(doc, patch)).toEqual({ containers: [{ name: 'a' }, { name: 'new' }] })
  })
})

describe('a patch that cannot be applied', () => {
  it.each<[JsonValue, number, string, string]>([
    [[], 400, 'BadRequest', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [{ data: { $retainKeys: 'x' } }, 400, 'BadRequest', 'invalid patch format of retainKeys'],
    [{ data: { $retainKeys: ['b'], c: '1' } }, 400, 'BadRequest', 'invalid patch format of retainKeys'],
    [{ metadata: { $deleteFromPrimitiveList: ['x'] } }, 400, 'BadRequest', 'invalid patch format of primitive list'],
    [{ metadata: { $setElementOrder: [] } }, 400, 'BadRequest', 'invalid patch format of setElementOrder list'],
    [{ spec: { '$setElementOrder/keyless': [{}] } }, 400, 'BadRequest', 'invalid patch format of setElementOrder list'],
    [{ metadata: { $patch: 'bogus' } }, 500, '', 'unknown patch type: bogus in map: map[$patch:bogus]'],
    [{ metadata: { finalizers: ['a', 1] } }, 500, '', 'list element types are not identical: [[x.y/a x.y/b] [a 1]]'],
    [{ metadata: { '$setElementOrder/finalizers': 'x' } }, 500, '', 'expected a []interface {}, but received a string'],
    [
      { metadata: { '$setElementOrder/finalizers': ['x.y/b'], finalizers: ['c'] } },
      500,
      '',
      "The order in patch list:\n[c]\n doesn't match $setElementOrder list:\n[x.y/b]\n",
    ],
    [
      { spec: { containers: [{ image: 'x' }] } },
      500,
      '',
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      { spec: { containers: [{ name: 'a', $patch: 'merge' }] } },
      500,
      '',
      'merging lists cannot yet be specified in the patch',
    ],
    [{ spec: { keyless: [{ a: 1 }] } }, 500, '', 'cannot merge lists without merge key for struct'],
  ])('%j', (patch, code, reason, message) => {
    const doc = {
      metadata: { finalizers: ['x.y/a', 'x.y/b'] },
      data: { a: '1' },
      spec: { containers: [{ name: 'a' }], keyless: [{}] },
    }
    const refused = catching(() => apply(doc, patch))
    expect(isStatusError(refused) && [refused.code, refused.reason, refused.message]).toEqual([code, reason, message])
  })

  it('has lists in a list that merges', () => {
    const refused = catching(() => apply({ spec: { keyless: [[1]] } }, { spec: { keyless: [[2]] } }))
    expect(isStatusError(refused, 'Invalid') && refused.code).toBe(422)
  })
})

describe('applyStrategicMergePatch', () => {
  const name: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd')
  const names = fc.uniqueArray(name)
  const list = fc.uniqueArray(fc.record({ name, image: name, args: fc.array(name) }, { requiredKeys: ['name'] }), {
    selector: (item) => item.name,
  })
  const directed = fc.uniqueArray(
    fc.record({ name, image: name, $patch: fc.constant('delete') }, { requiredKeys: ['name'] }),
    { selector: (item) => item.name },
  )
  const document = fc.record({ metadata: fc.record({ finalizers: names }), spec: fc.record({ containers: list }) })
  const patch = fc.record(
    {
      metadata: fc.record({ finalizers: names, '$deleteFromPrimitiveList/finalizers': names }, { requiredKeys: [] }),
      spec: fc.record({ containers: directed }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonValue>

  it('changes neither document nor patch, and gives the same when applied again', () => {
    fc.assert(
      fc.property(document, patch, (doc, change) => {
        const before = structuredClone([doc, change])
        const once = apply(doc, change)
        expect([doc, change]).toEqual(before)
        const again = apply(once, change) as typeof doc
        expect({ ...again, metadata: {} }).toEqual({ ...(once as typeof doc), metadata: {} })
      }),
    )
  })

  it('keeps the live order of what the patch does not name, and the order of what it names', () => {
    fc.assert(
      fc.property(names, names, (live, added) => {
        const result = finalizers(live, { finalizers: added }) as string[]
        expect(result.filter((item) => added.includes(item))).toEqual(live.length + added.length === 0 ? [] : added)
        expect(result.filter((item) => !added.includes(item))).toEqual(live.filter((item) => !added.includes(item)))
      }),
    )
  })

  it('shares with the document what stays, and nothing with the patch', () => {
    const doc = { metadata: { labels: { a: '1' } }, spec: { containers: [{ name: 'a' }, { name: 'b' }] } }
    const patch = { spec: { containers: [{ name: 'b', args: ['x'] }], tolerations: [{ key: 'k' }] } }
    const result = apply(doc, patch) as typeof doc & { spec: { tolerations: object[] } }
    expect(result.metadata).toBe(doc.metadata)
    expect(result.spec.containers[0]).toBe(doc.spec.containers[0])
    expect(result.spec.tolerations[0]).not.toBe(patch.spec.tolerations[0])
    expect(apply(doc, { metadata: { labels: { a: '1' } }, spec: { containers: [{ name: 'b' }] } })).toBe(doc)
  })

  it('takes a time that grows with the lists, not with their product', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => ({ name: `c${index}` }))
    const patch = { '$setElementOrder/containers': [...many].reverse(), containers: [...many].reverse() }
    expect(onSpec({ containers: many }, patch)).toEqual({ containers: [...many].reverse() })
    expect(cpuMs(() => onSpec({ containers: many }, patch))).toBeLessThan(5000)
  })

  it('reaches no prototype', () => {
    const evil = JSON.parse('{"spec": {"strategy": {"__proto__": {"bad": 1}}}}') as JsonValue
    expect(onSpec({ strategy: {} }, (evil as { spec: JsonValue }).spec)).toEqual({ strategy: {} })
  })
})

function catching(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
