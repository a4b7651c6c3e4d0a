import { expect, it } from 'vitest'
import { parseAccept } from './accept.ts'

const types = (accept: string) => parseAccept(accept).map(({ type }) => type)

it('takes the best quality first, and of equals the one written first', () => {
  expect(types('a/x;q=0.5, a/y, a/z;q=0.9, a/w')).toEqual(['a/y', 'a/w', 'a/z', 'a/x'])
})

it('takes what is named before patterns', () => {
  expect(types('*/*, a/*, a/b')).toEqual(['a/b', 'a/*', '*/*'])
})

it('leaves out what the client refuses and what has no sensible quality', () => {
  expect(types('a/x;q=0, a/y;q=much, a/z')).toEqual(['a/z'])
})

it('reads parameters, quoted or not', () => {
  expect(parseAccept('Application/JSON; AS=Table;v="v1"')).toEqual([
    { type: 'application/json', quality: 1, params: { as: 'Table', v: 'v1' } },
  ])
})
