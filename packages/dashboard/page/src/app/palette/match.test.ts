import { expect, test } from 'vitest'
import { matching } from './match.ts'

const entry = (title: string, words = '') => ({ key: title, title, words, sort: 'kind' })
const ENTRIES = [
  entry('ConfigMap', 'configmaps cm core'),
  entry('Component', 'components'),
  entry('Process', 'processes colonies.io'),
  entry('ProcessGraph', 'processgraphs colonies.io'),
  entry('PriorityLevelConfiguration', 'flowcontrol'),
  entry('Go to the queue'),
]
const titles = (text: string) => matching(ENTRIES, text, 10).map(({ title }) => title)

test.each([
  ['process', ['Process', 'ProcessGraph']],
  ['proc', ['Process', 'ProcessGraph']],
  ['graph', ['ProcessGraph']],
  ['cm', ['ConfigMap']],
  ['queue', ['Go to the queue']],
  ['colonies graph', ['ProcessGraph']],
  ['CONFIG', ['ConfigMap', 'PriorityLevelConfiguration']],
  ['xyz', []],
])('%s means %j first', (text, wanted) => expect(titles(text).slice(0, wanted.length)).toEqual(wanted))

test('nothing finds everything, in its order, up to the limit', () => {
  expect(titles('  ')).toHaveLength(6)
  expect(matching(ENTRIES, '', 2).map(({ title }) => title)).toEqual(['ConfigMap', 'Component'])
})

test('50,000 names and a hostile text take no longer than a moment', () => {
  const many = Array.from({ length: 50_000 }, (_, index) => entry(`object-${index}`))
  expect(matching(many, '4999', 20)).toHaveLength(20)
  expect(matching(many, '('.repeat(10_000), 20)).toEqual([])
})
