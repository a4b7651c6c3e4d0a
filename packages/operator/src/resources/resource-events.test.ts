import type { ApiObject, InformerEvent } from '@homeostat/client'
import { describe, expect, it } from 'vitest'
import { resourceEvents } from './resource-events.ts'

const base = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', uid: '1', resourceVersion: '5', generation: 1 },
  spec: { replicas: 1 },
  status: { replicas: 0 },
}

function change(
  type: InformerEvent<ApiObject>['type'],
  previous: ApiObject | undefined,
  object: ApiObject,
): InformerEvent<ApiObject> {
  return { type, previous, object, initial: false }
}

describe('resourceEvents', () => {
  it.each([
    ['its spec', { ...base, spec: { replicas: 2 } }, ['updated', 'changedSpec', 'changed']],
    ['its status', { ...base, status: { replicas: 1 } }, ['updated', 'changedStatus', 'changed']],
    [
      'its labels',
      { ...base, metadata: { ...base.metadata, labels: { a: 'b' } } },
      ['updated', 'changedMetadata', 'changed'],
    ],
    [
      'nothing an author can see',
      { ...base, metadata: { ...base.metadata, resourceVersion: '6' } },
      ['updated', 'changed'],
    ],
    [
      'the object itself',
      { ...base, metadata: { ...base.metadata, uid: '2' } },
      ['updated', 'replaced', 'changedMetadata', 'changed'],
    ],
  ])('names the part when an update changed %s', (_, after, events) => {
    expect(resourceEvents(change('updated', base, after))).toEqual(events)
  })

  it('names all parts of an object that appears', () => {
    expect(resourceEvents(change('added', undefined, base))).toEqual([
      'changedSpec',
      'changedStatus',
      'changedMetadata',
      'changed',
    ])
  })

  it('tells of one that goes', () => {
    expect(resourceEvents(change('deleted', base, base))).toEqual(['deleted', 'changed'])
  })

  it('counts the data of a kind as its spec', () => {
    const before = { ...base, spec: undefined, data: { a: '1' } }
    const after = { ...before, data: { a: '2' } }
    expect(resourceEvents(change('updated', before, after))).toContain('changedSpec')
  })
})
