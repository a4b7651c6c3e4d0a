import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paintFor } from './style.ts'
import { type Column, fitted, shortened, tableOf } from './table.ts'

interface Item {
  readonly name: string
  readonly phase: string
}

const COLUMNS: readonly Column<Item>[] = [
  { header: 'NAME', text: ({ name }) => name },
  { header: 'PHASE', text: ({ phase }) => phase, tone: (text) => (text === 'Online' ? 'good' : undefined) },
]
const plain = paintFor({ env: {}, out() {}, error() {} })

function lines(items: readonly Item[], width?: number, paint = plain): string[] {
  const table = tableOf(COLUMNS, items, { width, paint })
  return [table.head(), ...items.map(table.row)]
}

test('columns are as wide as their longest text, and nothing stands at the end of a line', () => {
  expect(
    lines([
      { name: 'long-name', phase: 'Online' },
      { name: 'a', phase: '' },
    ]),
  ).toEqual(['NAME        PHASE', 'long-name   Online', 'a           -'])
})

test('on a terminal the widest column is cut, elsewhere none', () => {
  const items = [{ name: 'a-name-that-is-far-too-long', phase: 'Online' }]
  expect(lines(items, 20)).toEqual(['NAME          PHASE', 'a-name-tha…   Online'])
  expect(lines(items)[1]).toBe('a-name-that-is-far-too-long   Online')
})

test('a text with breaks in it stays on its line', () => {
  expect(lines([{ name: 'a\n\tb\x1b[31m', phase: 'x' }])[1]).toBe('a b [31m   x')
})

test('a row that comes later and is longer moves itself alone', () => {
  const table = tableOf(COLUMNS, [{ name: 'a', phase: 'b' }], { width: undefined, paint: plain })
  expect(table.row({ name: 'longer', phase: 'b' })).toBe('longer   b')
  expect(table.row({ name: 'a', phase: 'b' })).toBe('a      b')
})

test('there are colours on a terminal, unless somebody does not want them', () => {
  const terminal = { env: {}, columns: 80, out() {}, error() {} }
  const items = [{ name: 'a', phase: 'Online' }]
  expect(lines(items, 80, paintFor(terminal))[1]).toBe('a      \x1b[32mOnline\x1b[0m')
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
    expect(lines(items, 80, paintFor({ ...terminal, env }))[1]).toBe('a      Online')
  }
})

test('columns fit the width whenever that is possible, and only the widest ones give', () => {
  const widths = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(widths, fc.integer({ min: 1, max: 300 }), (wanted, width) => {
      const found = fitted(wanted, width)
      const total = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) + 3 * (all.length - 1)
      const least = wanted.map((one) => Math.min(one, 6))
      expect(total(found)).toBeLessThanOrEqual(Math.max(width, total(least)))
      if (total(wanted) <= width) expect(found).toEqual(wanted)
      const cut = found.filter((one, at) => one < (wanted[at] ?? 0))
      for (const one of cut) expect(one).toBe(Math.max(...found))
    }),
  )
})

test.each([
  [[30, 30], 40, [true, false], [18, 18]],
  [[30, 30], 43, [true, false], [30, 10]],
  [[30, 30], 50, [true, false], [30, 17]],
  [[30, 8, 30], 60, [true, false, false], [30, 8, 16]],
  [[30, 30], 40, [true, true], [18, 18]],
  [[30, 30], 63, [false, false], [30, 30]],
])('%j in a width of %i, with %j firm, becomes %j', (wanted, width, firm, widths) => {
  expect(fitted(wanted, width, firm)).toEqual(widths)
})

test('a text is cut between letters, also those of two units', () => {
  expect(shortened('ab😀😀', 3)).toBe('ab…')
  expect(shortened('ab😀', 3)).toBe('ab😀')
})
