import { expect, it } from 'vitest'
import { messageOf } from './message-of.ts'

it.each([
  [new Error('the disk is full'), 'the disk is full'],
  [new TypeError(), 'TypeError'],
  ['a text', 'a text'],
  [undefined, 'undefined'],
  [Symbol('odd'), 'Symbol(odd)'],
])('%o says %s', (thrown, text) => {
  expect(messageOf(thrown)).toBe(text)
})
