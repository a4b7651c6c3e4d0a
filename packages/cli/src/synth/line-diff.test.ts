import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

test('equal texts have no lines', () => {
  expect(lineDiff('a\nb\n', 'a\nb\n')).toEqual([])
})

test('removed and added lines have two lines around them, and gaps a mark', () => {
  const text = (lines: string) => lines.split(' ').join('\n')
  expect(lineDiff(text('1 2 3 4 5 6 7 8 9 10 11'), text('1 2 3 x 5 6 7 8 9 10 11 12'))).toEqual([
    ...['...', ' 2', ' 3', '-4', '+x', ' 5', ' 6'],
    ...['...', ' 10', ' 11', '+12'],
  ])
  expect(lineDiff('', 'a')).toEqual(['-', '+a'])
})
