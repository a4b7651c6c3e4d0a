import { expect, it } from 'vitest'
import { labelsText, selectorText } from './selector-text.ts'

it('a selector is text, sorted by key', () => {
  const matchExpressions = [
    { key: 'tier', operator: 'In', values: ['b', 'a'] },
    { key: 'env', operator: 'NotIn', values: ['x'] },
    { key: 'old', operator: 'DoesNotExist' },
    { key: 'any', operator: 'Exists' },
  ]
  expect(selectorText({ matchLabels: { zone: '1', app: 'web' }, matchExpressions })).toBe(
    'any,app=web,env notin (x),!old,tier in (a,b),zone=1',
  )
})

it('a plain map of labels is one, too', () => {
  expect(selectorText({ app: 'web' })).toBe('app=web')
  expect(labelsText({ b: '2', a: '1' })).toBe('a=1,b=2')
})

it('nothing is the empty text', () => {
  for (const nothing of [undefined, null, {}, [], 'x']) expect(selectorText(nothing)).toBe('')
})
