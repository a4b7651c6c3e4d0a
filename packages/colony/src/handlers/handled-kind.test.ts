import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { readHandledKind } from './handled-kind.ts'

const FREE = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const handler = '{"executorType":"db","functionName":"f"}'

function crd(annotation: string | undefined, status: object | undefined = FREE, more: object = {}): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', properties: { ...(status && { status }) } } }
  const v1 = { name: 'v1', served: true, storage: true, subresources: { status: {} }, schema, ...more }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: annotation === undefined ? {} : { annotations: { 'colonies.io/handler': annotation } },
    spec: {
      group: 'ex.io',
      names: { kind: 'Thing', plural: 'things' },
      scope: 'Namespaced',
      versions: [{ name: 'v1beta1', served: true, storage: false }, v1],
    },
  }
}

describe('a definition', () => {
  it('without the annotation has no handler', () => {
    expect(readHandledKind(crd(undefined))).toBeUndefined()
  })

  it('with it is handled in the version that is stored', () => {
    expect(readHandledKind(crd('{"executorType":"db","functionName":"f","reconcileInterval":30,"other":1}'))).toEqual({
      id: 'ex.io/things',
      resource: { group: 'ex.io', resource: 'things' },
      apiVersion: 'ex.io/v1',
      kind: 'Thing',
      namespaced: true,
      handler: { executorType: 'db', functionName: 'f', reconcileInterval: 30 },
      sharesConditions: false,
    })
  })

  it('may tell conditions apart by their types', () => {
    const conditions = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] }
    const status = { type: 'object', properties: { observedGeneration: { type: 'integer' }, conditions } }
    expect(readHandledKind(crd(handler, status))).toMatchObject({ sharesConditions: true })
  })

  it.each([
    ['no JSON', crd('{'), 'no JSON'],
    ['a list', crd('[]'), 'must be an object'],
    [
      'an interval beyond all times',
      crd('{"executorType":"db","functionName":"f","reconcileInterval":1e300}'),
      'from 0 to',
    ],
    ['no type', crd('{"functionName":"f"}'), 'executorType'],
    ['no function', crd('{"executorType":"db","functionName":""}'), 'functionName'],
    [
      'a wrong interval',
      crd('{"executorType":"db","functionName":"f","reconcileInterval":"30s"}'),
      'reconcileInterval',
    ],
    ['a wrong place', crd('{"executorType":"db","functionName":"f","location":1}'), 'location'],
    [
      'a place that is not from a path',
      crd('{"executorType":"db","functionName":"f","locationFrom":"spec.x"}'),
      'locationFrom',
    ],
    [
      'software from no path',
      crd('{"executorType":"db","functionName":"f","softwareFrom":["runtime"]}'),
      'softwareFrom',
    ],
    ['no subresource', crd(handler, FREE, { subresources: {} }), 'subresource status'],
    ['no status', crd(handler, null as unknown as undefined), 'observedGeneration'],
    ['a status that keeps nothing', crd(handler, { type: 'object' }), 'observedGeneration'],
  ])('says what is wrong with %s', (_, definition, words) => {
    expect(readHandledKind(definition)).toEqual(expect.stringContaining(words))
  })
})
