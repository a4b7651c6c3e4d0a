import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const names = ['port', 'host', 'data-dir', 'history-age', 'history-size', 'max-pending-writes']

test.each([
  ['prot', 'port'],
  ['hst', 'host'],
  ['dataDir', 'data-dir'],
  ['DATA_DIR', 'data-dir'],
  ['history_sise', 'history-size'],
  ['max-pending-write', 'max-pending-writes'],
  ['colour', undefined],
  ['', undefined],
  ['x'.repeat(1e6), undefined],
])('for %s it is %s', (word, name) => {
  expect(nearest(word, names)).toBe(name)
})
