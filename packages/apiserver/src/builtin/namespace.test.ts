import { isStatusError, type KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { builtinNamed } from './builtin-named.fixture.ts'
import { SYSTEM_NAMESPACES } from './namespace.ts'

const { strategy, selectableFields, columns } = builtinNamed('namespaces')

function namespace(fields: object = {}, metadata: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', ...metadata }, ...fields }
}

function created(fields: object = {}, metadata: object = {}): KubeObject {
  const object = namespace(fields, metadata)
  strategy.prepareForCreate(object)
  strategy.applyDefaults(object)
  return object
}

describe('Namespace', () => {
  it('is born active, labelled and held', () => {
    expect(created()).toEqual(
      namespace(
        { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } },
        { labels: { 'kubernetes.io/metadata.name': 'team' } },
      ),
    )
  })

  it('keeps other labels and finalizers, and its own label true', () => {
    const labels = { a: 'b', 'kubernetes.io/metadata.name': 'other' }
    const object = created({ spec: { finalizers: ['example.com/x'] }, status: { phase: 'Terminating' } }, { labels })
    expect(object.metadata.labels).toEqual({ a: 'b', 'kubernetes.io/metadata.name': 'team' })
    expect(object.spec).toEqual({ finalizers: ['example.com/x', 'kubernetes'] })
    expect(object.status).toEqual({ phase: 'Active' })
  })

  it('takes neither finalizers nor status from an update', () => {
    const old = created()
    const object = namespace(
      { spec: { finalizers: [] }, status: { phase: 'Terminating' } },
      { annotations: { a: 'b' } },
    )
    strategy.prepareForUpdate(object, old)
    expect(object.spec).toEqual(old.spec)
    expect(object.status).toEqual(old.status)
    expect(object.metadata.annotations).toEqual({ a: 'b' })
  })

  it('takes all but its spec from a write to status', () => {
    const old = created()
    const metadata = { name: 'team', labels: { a: 'b' } }
    const object: KubeObject = { ...old, metadata, spec: { finalizers: [] }, status: { phase: 'Terminating' } }
    strategy.prepareForStatusUpdate(object, old)
    expect(object).toEqual({ ...old, metadata, status: { phase: 'Terminating' } })
  })

  it('terminates when it is deleted, and stays while spec holds it', () => {
    const object = created()
    strategy.beforeDelete?.(object)
    expect(object.status).toEqual({ phase: 'Terminating' })
    expect(strategy.mayVanish(object)).toBe(false)
    expect(strategy.mayVanish(namespace({ spec: {} }))).toBe(true)
  })

  it.each(SYSTEM_NAMESPACES)('%s is never deleted', (name) => {
    let refusal: unknown
    try {
      strategy.beforeDelete?.(namespace({}, { name }))
    } catch (error) {
      refusal = error
    }
    expect(isStatusError(refusal, 'Forbidden')).toBe(true)
    expect(String(refusal)).toContain('this namespace may not be deleted')
  })

  it('has the name of a label', () => {
    expect(strategy.nameErrors('a.b', false)).not.toEqual([])
    expect(strategy.nameErrors('a-', true)).toEqual([])
  })

  it('is found by its phase and shows it', () => {
    const object = created()
    expect(selectableFields['status.phase']?.(object)).toBe('Active')
    expect(columns[1]?.cell(object, 0)).toBe('Active')
  })
})
