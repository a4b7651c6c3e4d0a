import { expect, test } from 'vitest'
import { RecentKeys } from './recent-keys.ts'

const always = () => true

test('the longest unused go, but not those under way', () => {
  const keys = new RecentKeys(2)
  expect([...keys.use('a', always), ...keys.use('b', always), ...keys.use('a', always)]).toEqual([])
  expect(keys.use('c', always)).toEqual(['b'])
  expect(keys.use('d', (key) => key !== 'a')).toEqual(['c'])
  keys.drop('a')
  expect(keys.use('e', always)).toEqual([])
})
