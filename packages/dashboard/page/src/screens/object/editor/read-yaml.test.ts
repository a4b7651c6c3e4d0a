// What is wrong with a text, and where, before the server says it.

import { describe, expect, test } from 'vitest'
import { KindSchema } from '../../../kinds/schema.ts'
import { fieldPath, firstError, rangeOfField, readYaml } from './read-yaml.ts'

const schema = new KindSchema(
  {
    components: {
      schemas: {
        Bulb: { type: 'object', required: ['watts'], properties: { watts: { type: 'integer', maximum: 100 } } },
      },
    },
  },
  {
    type: 'object',
    properties: {
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        required: ['size'],
        properties: {
          size: { type: 'integer', minimum: 0 },
          colour: { type: 'string', enum: ['red', 'green'] },
          bulbs: { type: 'array', items: { allOf: [{ $ref: '#/components/schemas/Bulb' }], description: 'one' } },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          port: { 'x-kubernetes-int-or-string': true },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
  },
)

describe('a text', () => {
  const rows: Record<string, [string, string | undefined]> = {
    'that is right has no problem': ['spec:\n  size: 1\n  colour: red\n  free: {a: {b: 1}}\n  port: http', undefined],
    'with a wrong type': ['spec: {size: big}', 'it must be integer'],
    'with a map for a number': ['spec: {size: {a: 1}}', 'it must be integer'],
    'with a value that is not allowed': ['spec: {size: 1, colour: blue}', 'it must be "red" | "green"'],
    'with an unknown field': ['spec: {size: 1, sise: 2}', 'sise is no field of spec'],
    'with a missing field': ['spec: {}', 'spec.size is required'],
    'with a missing field in an item behind a reference': [
      'spec: {size: 1, bulbs: [{}]}',
      'spec.bulbs.0.watts is required',
    ],
    'with too large a number': ['spec: {size: 1, bulbs: [{watts: 101}]}', 'it must be at most 100'],
    'with a wrong value in a map': ['spec: {size: 1, labels: {a: 1}}', 'it must be string'],
    'with a fraction for an integer or string': ['spec: {size: 1, port: 1.5}', 'it must be integer or string'],
    'with a field twice': ['spec: {size: 1}\nspec: {size: 2}', 'Map keys must be unique'],
    'that is a list': ['- a', 'An object is a map of fields: apiVersion, kind, metadata, …'],
    'with several objects': [
      'a: 1\n---\nb: 2',
      'The text holds 2 objects and the editor saves one; kubectl apply -f - takes several.',
    ],
    'that is empty': ['', 'The text is empty.'],
  }
  for (const [name, [text, message]] of Object.entries(rows)) {
    test(name, () => {
      const { problems } = readYaml(text, schema)
      if (message === undefined) expect(problems).toEqual([])
      else expect(problems.map((one) => one.message).join('\n')).toContain(message)
    })
  }
})

test('a problem stands where it is', () => {
  const text = 'spec:\n  size: big\n'
  const [problem] = readYaml(text, schema).problems
  expect(text.slice(problem?.from, problem?.to)).toBe('big')
})

test('aliases that multiply are refused, and no text stops the page', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 12; level++)
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`)
  expect(readYaml(lines.join('\n'), schema).object).toBeUndefined()
  for (const text of ['\u0000', '{', '&a *a', '? ', '"\\u', '!!js/function x: 1']) readYaml(text, schema)
})

test('a field that the server names is found in the text, or else what it is in', () => {
  const text = 'spec:\n  size: 1\n  bulbs:\n    - watts: 7\n'
  const { document } = readYaml(text, schema)
  const shown = (field: string) => text.slice(...rangeOfField(document, field))
  expect(shown('spec.bulbs[0].watts')).toBe('7')
  expect(shown('spec.size')).toBe('1')
  expect(shown('spec.colour')).toContain('size: 1')
  expect(fieldPath('metadata.labels[a.b/c]')).toEqual(['metadata', 'labels', 'a.b/c'])
})

test('the first error is told with its line', () => {
  const text = 'kind: Lamp\nspec:\n  colour: blue\n  size: -1\n'
  expect(firstError(readYaml(text, schema).problems, text)).toBe('line 3: it must be "red" | "green"')
  expect(firstError([], text)).toBeUndefined()
})
