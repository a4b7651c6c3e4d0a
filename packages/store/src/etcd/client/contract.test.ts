import { expect, it } from 'vitest'
import { endOfPrefix } from './contract.ts'
import { EtcdError, isEtcdError } from './etcd-error.ts'

it('the end of a prefix comes after all keys that start with it, and before all others', () => {
  expect(endOfPrefix('/homeostat/')).toBe('/homeostat0')
  expect('/homeostat/\u{10ffff}' < endOfPrefix('/homeostat/')).toBe(true)
})

it.each(['', 'ü', '\x7f', '🦊'])('a prefix that ends otherwise than in ASCII has none: %j', (prefix) => {
  expect(() => endOfPrefix(prefix)).toThrow(RangeError)
})

it('an error is known by its kind, in another copy of the package, too', () => {
  const error = new EtcdError('timeout', 'no answer', { maybeApplied: true })
  expect([isEtcdError(error), isEtcdError(error, 'timeout'), isEtcdError(error, 'compacted')]).toEqual([
    true,
    true,
    false,
  ])
  expect([isEtcdError(undefined), isEtcdError(new Error('x')), isEtcdError('x')]).toEqual([false, false, false])
  expect(error.maybeApplied).toBe(true)
})
