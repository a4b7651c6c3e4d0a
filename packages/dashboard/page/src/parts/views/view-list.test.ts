import { expect, test } from 'vitest'
import { readViews, viewsInAddress, viewsOfAddress, withView } from './view-list.ts'

const VIEW = { name: 'failed', path: '/kinds/colonies.io/v1/processes?where=Phase::=Failed' }

test('views go through an address', () => expect(viewsOfAddress(viewsInAddress([VIEW]))).toEqual([VIEW]))

test.each([
  'no json',
  '{}',
  '[1,null,["a"],["a","javascript:alert(1)"],["a","//evil.example"],["a","/\\\\evil"],["","/"],[{"a":1},"/"]]',
])('%s brings nothing', (text) => expect(viewsOfAddress(text)).toEqual([]))

test('what is kept in the browser is read with the same care', () => {
  expect(readViews(JSON.stringify([VIEW, { name: 'x', path: 'https://evil.example' }, 7]))).toEqual([VIEW])
  expect(readViews('{')).toEqual([])
})

test('one of the same name is replaced in its place', () => {
  const two = withView([VIEW], { name: 'other', path: '/' })
  expect(withView(two, { name: 'failed', path: '/x' }).map(({ path }) => path)).toEqual(['/x', '/'])
})
