import { expect, test } from 'vitest'
import { customColumns } from './custom-columns.ts'
import { jsonPathTemplate } from './json-path-template.ts'
import { sortedBy } from './sort-by.ts'

const list = {
  kind: 'List',
  items: [
    { metadata: { name: 'b', labels: { 'a.b/c': 'x' } }, spec: { n: 10 } },
    { metadata: { name: 'a' }, spec: { n: 9, on: false } },
  ],
}

test.each([
  ['{.kind}', 'List'],
  ['{.items[*].metadata.name}', 'b a'],
  ['{range .items[*]}{.metadata.name}{"\\t"}{.spec.n}{"\\n"}{end}', 'b\t10\na\t9\n'],
  ["{range .items[*]}{.metadata.name}{' in '}{$.kind};{end}", 'b in List;a in List;'],
  ['{range .items[*]}{range .metadata}[{.name}]{end}{end}', '[b][a]'],
  ['{.items[0].spec}', '{"n":10}'],
  ['{.nope} and {.items[1].spec.on}', ' and false'],
  ['{"{braces}"}', '{braces}'],
  ['plain', 'plain'],
  ['{.items[?(@.metadata.name=="a")].spec.n}', '9'],
])('%s', (template, expected) => {
  expect(jsonPathTemplate(template)(list)).toBe(expected)
})

test.each(['{.a', '{range .items[*]}', '{end}', '{.a[}', '{"open}', '}{'])('%s is refused', (template) => {
  expect(() => jsonPathTemplate(template)(list)).toThrow(/error parsing jsonpath/)
})

test('custom columns', () => {
  const columns = 'NAME:.metadata.name,N:{.spec.n},LABEL:metadata.labels.a\\.b/c'
  expect(customColumns(columns).lines(list.items as never, true)).toBe(
    'NAME   N     LABEL\nb      10    x\na      9     <none>\n',
  )
  expect(() => customColumns('NAME')).toThrow(/expected <header>:<json-path-expr>/)
})

test('numbers are sorted by their value, and what has no value comes first', () => {
  const names = (path: string) => sortedBy(list.items, path, (item) => item).map(({ metadata }) => metadata.name)
  expect(names('.spec.n')).toEqual(['a', 'b'])
  expect(names('{.metadata.name}')).toEqual(['a', 'b'])
  expect(names('spec.on')).toEqual(['b', 'a'])
})
