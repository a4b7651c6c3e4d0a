import type { ApiObject } from '@homeostat/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Dependencies, hasLabels, type ListRead } from './dependencies.ts'

const KIND = '/ConfigMap'
const object = (name: string, namespace: string, labels: Record<string, string> = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels },
})

describe('Dependencies', () => {
  it('forgets what a run did not read again, once it succeeded', () => {
    const reads = new Dependencies()
    const readers = (name: string) => [...reads.readersOf(KIND, [object(name, 'n')])]
    reads.begin('k')
    reads.readObject('k', KIND, { name: 'a', namespace: 'n' })
    reads.settle('k')
    reads.begin('k')
    reads.readObject('k', KIND, { name: 'b', namespace: 'n' })
    expect([readers('a'), readers('b')]).toEqual([['k'], ['k']])
    reads.settle('k')
    expect([readers('a'), readers('b')]).toEqual([[], ['k']])
    reads.begin('k')
    reads.settle('k')
    expect(reads.size).toEqual({ keys: 0, buckets: 0 })
  })

  it('tells of both states of an object, each key once', () => {
    const reads = new Dependencies()
    reads.readList('left', KIND, { labels: { a: '1' } })
    reads.readList('joined', KIND, { labels: { a: '2' } })
    reads.readList('both', KIND, {})
    reads.readList('other', '/Secret', {})
    const states = [object('x', 'n', { a: '1' }), object('x', 'n', { a: '2' })]
    expect([...reads.readersOf(KIND, states)].sort()).toEqual(['both', 'joined', 'left'])
  })

  it('takes a run that reads very many objects as one that reads the kind', () => {
    const reads = new Dependencies()
    for (let index = 0; index < 3000; index++) reads.readObject('k', KIND, { name: `o${index}`, namespace: 'n' })
    expect(reads.size.buckets).toBeLessThan(1100)
    expect([...reads.readersOf(KIND, [object('o2999', 'n')])]).toEqual(['k'])
  })

  it('is bounded for a key that never succeeds and reads something else each time', () => {
    const reads = new Dependencies()
    for (let run = 0; run < 100; run++) {
      reads.begin('k')
      for (let index = 0; index < 500; index++) reads.readObject('k', KIND, { name: `r${run}-${index}` })
    }
    expect(reads.size.buckets).toBeLessThan(6000)
    reads.forget('k')
    expect(reads.size).toEqual({ keys: 0, buckets: 0 })
  })

  it('knows who looked for a kind that was not there', () => {
    const reads = new Dependencies()
    reads.readMissingKind('k', KIND)
    expect([...reads.readersOfMissingKind(KIND)]).toEqual(['k'])
    expect([...reads.readersOfMissingKind('/Secret')]).toEqual([])
    expect([...reads.readersOf(KIND, [object('x', 'n')])]).toEqual([])
  })

  const namespace = fc.constantFrom('n', 'm')
  const labels = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'), { noNullPrototype: true })
  const list = fc.record({ namespace, labels }, { requiredKeys: [] })
  const key = fc.constantFrom('k1', 'k2', 'k3')

  it('finds the readers that looking at every read would find', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ key, list }), { maxLength: 12 }),
        fc.record({ namespace, labels }),
        fc.option(labels, { nil: undefined }),
        (lists, now, before) => {
          const reads = new Dependencies()
          for (const { key, list } of lists) reads.readList(key, KIND, list as ListRead)
          const states = [before && object('x', now.namespace, before), object('x', now.namespace, now.labels)]
          const wanted = lists.filter(({ list: { namespace = now.namespace, labels = {} } }) =>
            states.some((state) => namespace === now.namespace && state && hasLabels(state.metadata.labels, labels)),
          )
          const found = reads.readersOf(KIND, states)
          expect([...found].sort()).toEqual([...new Set(wanted.map(({ key }) => key))].sort())
          for (const { key } of lists) reads.forget(key)
          expect(reads.size).toEqual({ keys: 0, buckets: 0 })
        },
      ),
    )
  })
})
