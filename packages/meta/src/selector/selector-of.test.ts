import { expect, it } from 'vitest'
import { selectorOf } from './selector-of.ts'

it.each<[unknown, Record<string, string>, boolean]>([
  [undefined, {}, true],
  [{}, {}, true],
  [{ matchLabels: { a: '1' } }, { a: '1' }, true],
  [{ matchLabels: { a: '1' } }, { a: '2' }, false],
  [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['1', '2'] }] }, { a: '2' }, true],
  [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] }, {}, true],
  [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, {}, false],
  [{ matchLabels: { b: 'x' }, matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, { b: 'x' }, true],
  [{ matchLabels: { b: 'x' }, matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, { a: '', b: 'x' }, false],
])('%o of %o: %s', (selector, labels, expected) => {
  expect(selectorOf(selector).matches(labels)).toBe(expected)
})
