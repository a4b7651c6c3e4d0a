import { describe, expect, it } from 'vitest'
import { app, by, setsOf, specOf, types } from './app.fixture.ts'
import { applyConfiguration } from './apply-configuration.ts'
import { LAST_APPLIED } from './last-applied.ts'
import { updatedFields } from './updated-fields.ts'

const annotated = (spec: object, last: object | string, metadata: object = {}) => {
  const text = typeof last === 'string' ? last : JSON.stringify(app(last))
  const object = app(spec, { annotations: { [LAST_APPLIED]: text, ...metadata } })
  const managedFields = updatedFields(undefined, object, by('kubectl-client-side-apply'), types)
  return { ...object, metadata: { ...object.metadata, ...(managedFields && { managedFields }) } }
}

describe('kubectl', () => {
  it('takes over what it applied on the client side before, without conflicts', () => {
    const live = annotated({ image: 'x', replicas: 1 }, { image: 'x', replicas: 1 })
    const next = applyConfiguration(live, app({ image: 'y', replicas: 2 }), by('kubectl'), types)
    expect(specOf(next)).toEqual({ image: 'y', replicas: 2 })
    expect(setsOf(next).kubectl).toEqual({ 'f:spec': { 'f:image': {}, 'f:replicas': {} } })
  })

  it('still meets conflicts where somebody else changed what it had applied, and other managers meet all', () => {
    const live = annotated({ image: 'x', replicas: 5 }, { image: 'x', replicas: 1 })
    const work = (manager: string) => () =>
      applyConfiguration(live, app({ image: 'y', replicas: 2 }), by(manager), types)
    expect(work('kubectl')).toThrow(
      '1 conflict: conflict with "kubectl-client-side-apply" using e.com/v1: .spec.replicas',
    )
    expect(work('helm')).toThrow('2 conflicts')
  })

  it.each(['no json', '[]', '{"apiVersion":"e.com/v2"}'])('ignores an annotation that it cannot use: %s', (last) => {
    const live = annotated({ image: 'x' }, last)
    expect(() => applyConfiguration(live, app({ image: 'y' }), by('kubectl'), types)).toThrow('1 conflict')
  })

  it('keeps the annotation up to date, and no other manager does', () => {
    const live = annotated({ image: '<x>' }, { image: '<x>' })
    const next = applyConfiguration(live, app({ image: '<y>' }), by('kubectl'), types)
    expect(next.metadata.annotations?.[LAST_APPLIED]).toBe(
      '{"apiVersion":"e.com/v1","kind":"App","metadata":{"name":"a"},"spec":{"image":"\\u003cy\\u003e"}}\n',
    )
    expect(applyConfiguration(next, app({ image: '<y>' }), by('kubectl'), types)).toBe(next)
    const other = applyConfiguration(live, app({ image: 'z' }), by('helm', { force: true }), types)
    expect(other.metadata.annotations).toEqual(live.metadata.annotations)
  })

  it('drops the annotation when all annotations would be too large', () => {
    const live = annotated({ image: 'x' }, { image: 'x' }, { large: 'x'.repeat(262_000) })
    const next = applyConfiguration(live, app({ image: 'y'.repeat(500) }), by('kubectl'), types)
    expect(Object.keys(next.metadata.annotations ?? {})).toEqual(['large'])
  })
})
