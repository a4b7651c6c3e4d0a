import { qualifiedName } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { definedFinalizer, formerFinalizers, namedFinalizer, predecessorsOf } from './finalizer-name.ts'

describe('namedFinalizer', () => {
  it.each([
    ['example.com/v1', 'shop', 'example.com/shop'],
    ['v1', 'shop', 'homeostat.dev/shop'],
    ['example.com/v1', 'my operator!', 'example.com/my-operator'],
    ['example.com/v1', '..', 'example.com/operator'],
    ['example.com/v1', 'x'.repeat(100), `example.com/${'x'.repeat(63)}`],
  ])('of %s and %s is %s', (apiVersion, manager, wanted) => {
    const name = namedFinalizer(apiVersion, manager)
    expect(name).toBe(wanted)
    expect(qualifiedName(name)).toEqual([])
  })
})

it('the finalizer of a defined kind depends on its group alone', () => {
  expect(definedFinalizer('example.com/v1beta1')).toBe('example.com/finalizer')
})

const names = {
  fieldManager: 'new',
  isGiven: true,
  formerNames: ['old'],
  defaultNames: ['widget-operator.example.com'],
}
const object = (...finalizers: string[]) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', finalizers },
})

describe('formerFinalizers', () => {
  it('of a kind that is defined are those of all names, and of who wrote its status before', () => {
    const found = object(
      'example.com/finalizer',
      'example.com/new',
      'example.com/old',
      'example.com/widget-operator.example.com',
      'example.com/before',
      'example.com/backup',
      'example.com/older',
      'other.com/old',
    )
    expect(formerFinalizers(found, names, { isDefined: true, predecessors: ['before'] })).toEqual([
      'example.com/new',
      'example.com/old',
      'example.com/widget-operator.example.com',
      'example.com/before',
    ])
  })

  it('of another kind are those of the names that are listed', () => {
    const found = object('example.com/new', 'example.com/old', 'example.com/widget-operator.example.com')
    expect(formerFinalizers(found, names, { isDefined: false, predecessors: ['widget-operator.example.com'] })).toEqual(
      ['example.com/old'],
    )
  })
})

describe('predecessorsOf', () => {
  const finalizers = { 'f:metadata': { 'f:finalizers': {} } }
  const puts = (manager: string) => ({ manager, operation: 'Update', fieldsV1: finalizers })
  const reports = (manager: string) => ({ manager, operation: 'Apply', subresource: 'status', fieldsV1: {} })
  it('names who put a finalizer on and applied the status, and nobody who did one of both', () => {
    expect(predecessorsOf([puts('old'), reports('old'), puts('backup'), reports('other')])).toEqual(['old'])
  })
})
