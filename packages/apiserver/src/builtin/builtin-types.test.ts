import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import type { ResourceType } from '../registry/resource-type.ts'
import { builtinTypes } from './builtin-types.ts'

const types = new Map(builtinTypes().map((type) => [type.kind, type]))

function typeOf(kind: string): ResourceType {
  const type = types.get(kind)
  if (!type) throw new Error(`no ${kind}`)
  return type
}

describe('the built-in kinds', () => {
  it.each([
    ['Namespace', 'core/namespaces', false, ['Name', 'Status', 'Age']],
    ['ConfigMap', 'core/configmaps', true, ['Name', 'Data', 'Age']],
    ['Secret', 'core/secrets', true, ['Name', 'Type', 'Data', 'Age']],
    ['ServiceAccount', 'core/serviceaccounts', true, ['Name', 'Age']],
    ['Lease', 'coordination.k8s.io/leases', true, ['Name', 'Holder', 'Age']],
    ['CustomResourceDefinition', 'apiextensions.k8s.io/customresourcedefinitions', false, ['Name', 'Created At']],
  ])('%s is stored under %s and shows its columns', (kind, storage, namespaced, columns) => {
    const type = typeOf(kind)
    expect(type.storage).toBe(storage)
    expect(type.namespaced).toBe(namespaced)
    expect(type.columns.map((column) => column.name)).toEqual(columns)
  })

  it.each([
    // kind, unconditional update, create on update, DELETE returns the object, counts generations
    ['Namespace', true, false, true, false],
    ['ConfigMap', true, false, false, false],
    ['Secret', true, false, false, false],
    ['ServiceAccount', true, false, true, false],
    ['Event', true, true, false, false],
    ['Lease', false, true, false, false],
    ['CustomResourceDefinition', false, false, false, true],
  ])(
    '%s is written as Kubernetes lets it be written',
    (kind, unconditional, createOnUpdate, answersObject, generation) => {
      const { strategy } = typeOf(kind)
      expect(strategy.unconditionalUpdate).toBe(unconditional)
      expect(strategy.createOnUpdate).toBe(createOnUpdate)
      expect(strategy.deleteReturnsObject).toBe(answersObject)
      expect(strategy.generation).toBe(generation)
    },
  )

  it('cannot be asked to delete a collection of namespaces', () => {
    expect(typeOf('Namespace').verbs).not.toContain('deletecollection')
    expect(typeOf('Secret').verbs).toContain('deletecollection')
  })

  it('publishes schemas that end and that know only formats of OpenAPI', () => {
    for (const type of types.values()) {
      const text = JSON.stringify(type.openapi)
      expect(text).not.toContain('micro-time')
      expect(type.openapi.type).toBe('object')
    }
  })

  it('removes what a kind does not know and names it', () => {
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      dato: {},
      data: { a: '1' },
    }
    expect(typeOf('ConfigMap').strategy.prune(object)).toEqual(['dato'])
    expect(object).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' } })
  })

  it('refuses to decode wrong types', () => {
    const { strategy } = typeOf('ConfigMap')
    const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 5 } }
    expect(strategy.decodeErrors(object).map((cause) => cause.field)).toEqual(['data.a'])
    expect(strategy.decodeErrors({ ...object, data: null })).toEqual([])
  })
})
