import { expect, it } from 'vitest'
import { finalizerNameErrors } from './finalizer-names.ts'

const object = (...finalizers: string[]) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { finalizers } })

it('accepts finalizers with a domain and the old standard ones', () => {
  expect(finalizerNameErrors('', object('a.example/b', 'kubernetes', 'orphan', 'foregroundDeletion'))).toEqual([])
})

it('refuses a finalizer without a domain, and names its place', () => {
  const [cause, ...more] = finalizerNameErrors('', object('a.example/b', 'mine'))
  expect(cause).toMatchObject({ reason: 'FieldValueInvalid', field: 'metadata.finalizers[1]' })
  expect(more).toEqual([])
})

it('accepts any finalizer of a lease, as Kubernetes does', () => {
  expect(finalizerNameErrors('coordination.k8s.io', object('mine'))).toEqual([])
})
