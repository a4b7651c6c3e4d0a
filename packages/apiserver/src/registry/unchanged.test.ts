import type { KubeObject } from '@homeostat/meta'
import { expect, it } from 'vitest'
import { changesNothing } from './unchanged.ts'

const object = (data: object, managedFields?: object[], labels = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', labels, ...(managedFields && { managedFields }) },
  data,
})
const entry = (time: string, fieldsV1: object = {}) => ({ manager: 'm', operation: 'Apply', time, fieldsV1 })

it('sees nothing but other times of managed fields as no change', () => {
  expect(changesNothing(object({ a: '1' }), object({ a: '1' }))).toBe(true)
  expect(changesNothing(object({}, [entry('2020')]), object({}, [entry('2021')]))).toBe(true)
})

it('sees any other difference', () => {
  expect(changesNothing(object({ a: '1' }), object({ a: '2' }))).toBe(false)
  expect(changesNothing(object({}, [], { a: 'b' }), object({}, []))).toBe(false)
  expect(changesNothing(object({}, [entry('2020')]), object({}))).toBe(false)
  expect(changesNothing(object({}, [entry('2020', { 'f:a': {} })]), object({}, [entry('2020')]))).toBe(false)
})
