import { expect, it } from 'vitest'
import { generateName } from './generate-name.ts'

it('appends five characters that spell no words', () => {
  for (let i = 0; i < 100; i++) expect(generateName('gen-')).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
})

it('takes its randomness from the caller', () => {
  expect(generateName('a-', () => 0)).toBe('a-bbbbb')
  expect(generateName('a-', () => 0.999)).toBe('a-99999')
})

it('shortens a long base so that the name fits a label', () => {
  expect(generateName('x'.repeat(100))).toHaveLength(63)
})
