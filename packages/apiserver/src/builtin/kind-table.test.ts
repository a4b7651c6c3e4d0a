import type { KubeObject } from '@homeostat/meta'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtinNamed } from './builtin-named.fixture.ts'
import { builtinTypes } from './builtin-types.ts'

const types = builtinTypes()
const named = types.map((type) => [`${type.group}/${type.version} ${type.kind}`, type] as const)

function completed(resource: string, object: object, group?: string): KubeObject {
  const type = builtinNamed(resource, group)
  const given = { apiVersion: type.version, kind: type.kind, metadata: { name: 'a' }, ...structuredClone(object) }
  expect(type.strategy.decodeErrors(given)).toEqual([])
  type.strategy.prune(given)
  type.strategy.applyDefaults(given)
  return given
}

describe('built-in kinds', () => {
  it('are all there', () => {
    expect(types.length).toBeGreaterThanOrEqual(60)
    const versions = types
      .filter(({ resource }) => resource === 'horizontalpodautoscalers')
      .map(({ version }) => version)
    expect(versions.sort()).toEqual(['v1', 'v2'])
  })

  it.each(named)('%s has a cell for every column of an object that holds nothing', (_, type) => {
    const object: KubeObject = { apiVersion: 'v1', kind: type.kind, metadata: { name: 'a' } }
    for (const column of type.columns) expect(column.cell(object, 0), column.name).toBeDefined()
  })

  it.each(named.filter(([, { group }]) => group !== 'apiextensions.k8s.io'))(
    '%s takes no harm from objects of any shape',
    (_, type) => {
      fc.assert(
        fc.property(
          fc.dictionary(fc.constantFrom('spec', 'status', 'data', 'rules', 'subsets', 'x'), fc.jsonValue()),
          (body) => {
            const object = { apiVersion: 'v1', kind: type.kind, metadata: { name: 'a' }, ...body } as KubeObject
            if (type.strategy.decodeErrors(object).length > 0) return
            type.strategy.prune(object)
            type.strategy.applyDefaults(object)
            const once = structuredClone(object)
            type.strategy.prune(object)
            type.strategy.applyDefaults(object)
            expect(object).toEqual(once)
            for (const column of type.columns) column.cell(object, 0)
            for (const read of Object.values(type.selectableFields)) expect(typeof read(object)).toBe('string')
          },
        ),
        { numRuns: 30 },
      )
    },
  )
})

describe('what is written', () => {
  it('drops nulls, empty lists and zero values that mean nothing', () => {
    expect(completed('configmaps', { data: {}, binaryData: null })).not.toHaveProperty('data')
    const { spec } = completed('endpointslices', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'], hostname: null }],
    })
    expect(spec).toBeUndefined()
  })

  it('keeps zero values that say something', () => {
    const { automountServiceAccountToken } = completed('serviceaccounts', { automountServiceAccountToken: false })
    expect(automountServiceAccountToken).toBe(false)
  })

  it('has null where Kubernetes writes null, also for what was sent empty', () => {
    expect(completed('roles', {}).rules).toBeNull()
    expect(completed('roles', { rules: [] }).rules).toBeNull()
    expect(completed('roles', { rules: [{ verbs: ['get'] }] }).rules).toEqual([{ verbs: ['get'] }])
  })

  it('has quantities in their canonical form', () => {
    const { spec } = completed('resourcequotas', { spec: { hard: { cpu: '1000m', memory: '1024Mi', pods: 10 } } })
    expect(spec).toEqual({ hard: { cpu: '1', memory: '1Gi', pods: '10' } })
  })

  it('refuses what is no quantity', () => {
    const { strategy } = builtinNamed('resourcequotas')
    const object = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: {}, spec: { hard: { cpu: 'much' } } }
    expect(strategy.decodeErrors(object).map(({ field }) => field)).toEqual(['spec.hard[cpu]'])
  })
})

describe('writes', () => {
  it('are distinguished as in Kubernetes', () => {
    const traits = (resource: string) => {
      const { generation, unconditionalUpdate, createOnUpdate, deleteReturnsObject } = builtinNamed(resource).strategy
      return { generation, unconditionalUpdate, createOnUpdate, deleteReturnsObject }
    }
    expect(traits('deployments')).toEqual({
      generation: true,
      unconditionalUpdate: true,
      createOnUpdate: false,
      deleteReturnsObject: false,
    })
    expect(traits('pods').deleteReturnsObject).toBe(true)
    expect(traits('runtimeclasses')).toMatchObject({ unconditionalUpdate: false, createOnUpdate: true })
  })

  it('own no field that they cannot change', () => {
    expect(builtinNamed('deployments').strategy.resetFields).toEqual({
      '': [['status']],
      status: [['spec'], ['metadata', 'labels']],
    })
    expect(builtinNamed('configmaps').strategy.resetFields).toBeUndefined()
  })

  it('of a status change labels, too, where Kubernetes lets them', () => {
    const old: KubeObject = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, spec: { old: true }, status: {} }
    const wanted = {
      ...old,
      metadata: { name: 'a', resourceVersion: '7', labels: { a: 'b' } },
      spec: {},
      status: { x: 1 },
    }
    const written = (resource: string) => {
      const object: KubeObject = structuredClone(wanted)
      builtinNamed(resource).strategy.prepareForStatusUpdate(object, old)
      return object
    }
    expect(written('replicasets')).toEqual({ ...wanted, spec: old.spec })
    const { labels: _, ...metadata } = wanted.metadata
    expect(written('deployments')).toEqual({ ...wanted, metadata, spec: old.spec })
    expect(written('flowschemas')).toEqual({ ...wanted, metadata, spec: old.spec })
  })

  it('of annotations count as a new generation of deployments', () => {
    const old: KubeObject = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a', generation: 3 }, spec: {} }
    const next = (resource: string) => {
      const object: KubeObject = { ...old, metadata: { ...old.metadata, annotations: { a: 'b' } } }
      builtinNamed(resource).strategy.prepareForUpdate(object, old)
      return object.metadata.generation
    }
    expect(next('deployments')).toBe(4)
    expect(next('endpointslices')).toBe(3)
  })

  it('bring a status only where a create may', () => {
    const status = { phase: 'x' }
    const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: {}, status }
    builtinNamed('nodes').strategy.prepareForCreate(node)
    expect(node.status).toEqual(status)
    const job: KubeObject = { apiVersion: 'batch/v1', kind: 'Job', metadata: {}, spec: {}, status }
    builtinNamed('jobs').strategy.prepareForCreate(job)
    expect(job.status).not.toEqual(status)
  })
})
