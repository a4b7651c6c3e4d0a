import { describe, expect, it } from 'vitest'
import { compileSchema } from '../with-cel.ts'

const schema = compileSchema(
  {
    type: 'object',
    required: ['n'],
    properties: {
      n: { type: 'integer', format: 'int32', minimum: 5 },
      s: { type: 'string', pattern: '^x' },
      port: { 'x-kubernetes-int-or-string': true },
      data: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
      list: { type: 'array', items: { type: 'string' } },
      at: { type: 'string', format: 'date-time' },
    },
  },
  { root: 'object' },
)

describe('decoding asks for types and nothing else', () => {
  it.each<[unknown, string[]]>([
    [{}, []],
    [{ n: 1, s: 'y', port: '80', data: { a: 'aGk=' }, list: [] }, []],
    [{ n: null, list: null, data: { a: null } }, []],
    [{ n: '1' }, ['n']],
    [{ n: 2 ** 31 }, ['n']],
    [{ n: 1.5 }, ['n']],
    [{ s: 5, list: ['a', 1] }, ['s', 'list[1]']],
    [{ port: true }, ['port']],
    [{ data: { a: '!!!', b: '' } }, ['data.a']],
    [{ at: 'yesterday' }, ['at']],
    [[], ['<nil>']],
  ])('%j', (value, fields) => {
    expect(schema.decodeErrors(value).map((cause) => cause.field)).toEqual(fields)
    for (const cause of schema.decodeErrors(value)) expect(cause.reason).toBe('FieldValueTypeInvalid')
  })
})
