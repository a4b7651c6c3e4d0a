import { expect, it } from 'vitest'
import { finalizerWarnings } from './finalizers.ts'

const warn = (...finalizers: string[]) => finalizerWarnings({ finalizers })

it('warns of a finalizer without a domain', () => {
  expect(warn('nodomain')).toEqual([
    'metadata.finalizers: "nodomain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
  ])
})

it('warns of a domain without a path', () => {
  expect(warn('hold.example.com')).toEqual([
    'metadata.finalizers: "hold.example.com": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
  ])
})

it('does not warn of good ones, of those Kubernetes uses, or of those that were there before', () => {
  expect(warn('example.com/hold', 'orphan', 'foregroundDeletion', 'kubernetes')).toEqual([])
  expect(finalizerWarnings({ finalizers: ['old'] }, { finalizers: ['old'] })).toEqual([])
  expect(finalizerWarnings({})).toEqual([])
})
