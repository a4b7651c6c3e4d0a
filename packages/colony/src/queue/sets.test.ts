import { expect, it } from 'vitest'
import { Sets } from './sets.ts'

it('keeps what was added under its key, and no key without anything', () => {
  const sets = new Sets<string>()
  sets.add('k', 'a')
  sets.add('k', 'b')
  expect([...sets.get('k')]).toEqual(['a', 'b'])
  expect([...sets.get('other')]).toEqual([])
  expect([sets.delete('k', 'a'), sets.delete('k', 'a'), sets.delete('other', 'a')]).toEqual([true, false, false])
  expect(sets.size).toBe(1)
  sets.delete('k', 'b')
  expect(sets.size).toBe(0)
})
