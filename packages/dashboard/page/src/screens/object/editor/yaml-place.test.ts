// Where a place of a text is, as the cursor `|` stands in it.

import { describe, expect, test } from 'vitest'
import { fieldAt, yamlPlace } from './yaml-place.ts'

const at = (text: string) => yamlPlace(text.replace('|', ''), text.indexOf('|'))

describe('a place', () => {
  const rows: Record<string, [string, unknown]> = {
    'at the top is in the object': ['ap|', { path: [], key: undefined, typed: 'ap' }],
    'below a field is in it': ['spec:\n  si|', { path: ['spec'], key: undefined, typed: 'si' }],
    'behind a colon is the value': ['spec:\n  colour: r|', { path: ['spec'], key: 'colour', typed: 'r' }],
    'is found over siblings and their children': [
      'spec:\n  a:\n    b: 1\n    c:\n      - d\n  e: 2\n  |',
      { path: ['spec'], key: undefined, typed: '' },
    ],
    'in an item is in the list': [
      'spec:\n  list:\n    - na|',
      { path: ['spec', 'list', 0], key: undefined, typed: 'na' },
    ],
    'in the second field of an item, too': [
      'spec:\n  list:\n    - name: a\n      im|',
      { path: ['spec', 'list', 0], key: undefined, typed: 'im' },
    ],
    'in a list as far left as its field': [
      'list:\n- name: a\n  im|',
      { path: ['list', 0], key: undefined, typed: 'im' },
    ],
    'in an item of an item': ['a:\n- b:\n  - c|', { path: ['a', 0, 'b', 0], key: undefined, typed: 'c' }],
    'knows quoted names': ['"a.b/c":\n  d|', { path: ['a.b/c'], key: undefined, typed: 'd' }],
    'is in the newest document': ['spec:\n  a: 1\n---\nx|', { path: [], key: undefined, typed: 'x' }],
  }
  for (const [name, [text, place]] of Object.entries(rows))
    test(name, () => expect(at(text)).toMatchObject(place as object))
  test('in a comment is none', () => expect(at('spec: # a|')).toBeUndefined())
  test('in a line of a megabyte is none', () => expect(at(`${'x'.repeat(1 << 20)}|`)).toBeUndefined())
})

test('a field is known by its name and not by its value', () => {
  const text = 'spec:\n  list:\n    - image: a'
  expect(fieldAt(text, 2)).toEqual(['spec'])
  expect(fieldAt(text, text.indexOf('image') + 1)).toEqual(['spec', 'list', 0, 'image'])
  expect(fieldAt(text, text.length)).toBeUndefined()
})
