import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../json/json-value.ts'
import { isStatusError } from '../status/status-error.ts'
import { applyJsonPatch } from './json-patch.ts'
import { JsonPatchError } from './json-patch-error.ts'

function problem(document: JsonValue, patch: unknown): string | undefined {
  try {
    applyJsonPatch(document, patch)
  } catch (error) {
    if (error instanceof JsonPatchError) return error.problem
    throw error
  }
  return undefined
}

const document = { spec: { replicas: 1, tags: ['x', 'y'], 'a/b': 1, 'c~d': 2, none: null, lists: [[1], [2]] } }

describe('applyJsonPatch', () => {
  it.each<[string, JsonValue[], JsonValue]>([
    ['adds a field', [{ op: 'add', path: '/spec/new', value: 1 }], { ...document.spec, new: 1 }],
    ['replaces with add', [{ op: 'add', path: '/spec/replicas', value: 2 }], { ...document.spec, replicas: 2 }],
    ['appends', [{ op: 'add', path: '/spec/tags/-', value: 'z' }], { ...document.spec, tags: ['x', 'y', 'z'] }],
    ['inserts', [{ op: 'add', path: '/spec/tags/1', value: 'z' }], { ...document.spec, tags: ['x', 'z', 'y'] }],
    [
      'inserts at the end',
      [{ op: 'add', path: '/spec/tags/2', value: 'z' }],
      { ...document.spec, tags: ['x', 'y', 'z'] },
    ],
    ['adds null', [{ op: 'add', path: '/spec/tags/0', value: null }], { ...document.spec, tags: [null, 'x', 'y'] }],
    ['replaces', [{ op: 'replace', path: '/spec/replicas', value: 2 }], { ...document.spec, replicas: 2 }],
    [
      'replaces in a list',
      [{ op: 'replace', path: '/spec/tags/0', value: 'z' }],
      { ...document.spec, tags: ['z', 'y'] },
    ],
    ['removes from a list', [{ op: 'remove', path: '/spec/tags/0' }], { ...document.spec, tags: ['y'] }],
    ['counts from the end', [{ op: 'remove', path: '/spec/tags/-1' }], { ...document.spec, tags: ['x'] }],
    ['unescapes', [{ op: 'replace', path: '/spec/a~1b', value: 5 }], { ...document.spec, 'a/b': 5 }],
    ['unescapes tilde', [{ op: 'replace', path: '/spec/c~0d', value: 5 }], { ...document.spec, 'c~d': 5 }],
    ['copies', [{ op: 'copy', from: '/spec/replicas', path: '/spec/new' }], { ...document.spec, new: 1 }],
    [
      'moves in a list',
      [{ op: 'move', from: '/spec/tags/0', path: '/spec/tags/1' }],
      { ...document.spec, tags: ['y', 'x'] },
    ],
    ['tests', [{ op: 'test', path: '/spec/tags', value: ['x', 'y'] }], document.spec],
    ['takes an absent path for null in a test', [{ op: 'test', path: '/spec/absent', value: null }], document.spec],
    ['replaces the whole', [{ op: 'replace', path: '', value: { spec: 1 } }], 1],
  ])('%s', (_, patch, spec) => {
    expect(applyJsonPatch(document, patch)).toEqual({ spec })
  })

  it('removes and moves fields', () => {
    expect(applyJsonPatch({ a: 1, b: 2 }, [{ op: 'remove', path: '/a' }])).toEqual({ b: 2 })
    expect(applyJsonPatch({ a: 1 }, [{ op: 'move', from: '/a', path: '/b' }])).toEqual({ b: 1 })
    expect(applyJsonPatch({ '': 1 }, [{ op: 'remove', path: '/' }])).toEqual({})
  })

  it('applies operations one after the other', () => {
    const patch = [
      { op: 'add', path: '/a', value: { b: [] } },
      { op: 'add', path: '/a/b/-', value: 1 },
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'replace', path: '/c/b/0', value: 2 },
    ]
    expect(applyJsonPatch({}, patch)).toEqual({ a: { b: [1] }, c: { b: [2] } })
    expect(patch[0]).toEqual({ op: 'add', path: '/a', value: { b: [] } })
  })

  it.each<[string, JsonValue[]]>([
    ['a test that does not hold', [{ op: 'test', path: '/spec/replicas', value: 99 }]],
    ['a test of an absent path', [{ op: 'test', path: '/spec/absent', value: 1 }]],
    ['removing what is absent', [{ op: 'remove', path: '/spec/nothing' }]],
    ['removing the whole', [{ op: 'remove', path: '' }]],
    ['replacing what is absent', [{ op: 'replace', path: '/spec/nothing', value: 1 }]],
    ['adding below what is absent', [{ op: 'add', path: '/nothing/a', value: 1 }]],
    ['adding below a number', [{ op: 'add', path: '/spec/replicas/a', value: 1 }]],
    ['an index beyond the end', [{ op: 'add', path: '/spec/tags/3', value: 1 }]],
    ['an index too far from the end', [{ op: 'remove', path: '/spec/tags/-3' }]],
    ['an index with a leading zero', [{ op: 'remove', path: '/spec/tags/01' }]],
    ['an index that is no number', [{ op: 'remove', path: '/spec/tags/a' }]],
    ['removing after the end', [{ op: 'remove', path: '/spec/tags/-' }]],
    ['an unknown operation', [{ op: 'wat', path: '/spec' }]],
    ['no operation', [{ path: '/spec' }]],
    ['no path', [{ op: 'add', value: 1 }]],
    ['a path without a slash', [{ op: 'add', path: 'spec', value: 1 }]],
    ['no value', [{ op: 'add', path: '/spec/a' }]],
    ['no from', [{ op: 'move', path: '/spec/a' }]],
    ['copying what is absent', [{ op: 'copy', from: '/nope', path: '/spec/a' }]],
    ['moving into itself', [{ op: 'move', from: '/spec', path: '/spec/tags/0' }]],
    ['moving into what would take its place', [{ op: 'move', from: '/spec/lists/0', path: '/spec/lists/0/0' }]],
  ])('fails on %s', (_, patch) => {
    expect(problem(document, patch)).toBe('failed')
  })

  it('answers a failure with 422, Invalid and empty details', () => {
    expect(() => applyJsonPatch({}, [{ op: 'remove', path: '/a' }])).toThrow(
      expect.objectContaining({
        status: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'the path "/a" does not exist',
          reason: 'Invalid',
          details: {},
          code: 422,
        },
      }),
    )
  })

  it.each([[{ not: 'a list' }], ['garbage'], [null], [[1]], [[null]], [[[]]]])(
    'takes %j for no patch (400)',
    (patch) => {
      expect(problem(document, patch)).toBe('malformed')
      try {
        applyJsonPatch(document, patch)
      } catch (error) {
        expect(isStatusError(error, 'BadRequest') && error.status.details).toBe(undefined)
      }
    },
  )

  it('refuses more than ten thousand operations (413)', () => {
    const operations = (count: number) => Array(count).fill({ op: 'test', path: '/a', value: null })
    expect(problem({}, operations(10_000))).toBe(undefined)
    expect(problem({}, operations(10_001))).toBe('too-large')
  })

  it('refuses copies that double the document again and again', () => {
    const double = Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }))
    expect(problem({ a: ['x'.repeat(100)] }, double)).toBe('failed')
  })

  it('never reaches a prototype', () => {
    for (const path of [
      '/__proto__',
      '/__proto__/polluted',
      '/constructor/prototype/polluted',
      '/a/__proto__/polluted',
    ]) {
      expect(problem({ a: {} }, [{ op: 'add', path, value: true }])).toBe('failed')
    }
    expect(problem({}, [{ op: 'copy', from: '/constructor', path: '/a' }])).toBe('failed')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('never changes the document, and a replace followed by a test of the same value holds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, noNullPrototype: true }),
        fc.jsonValue(),
        (object, given) => {
          const source = JSON.parse(JSON.stringify(object)) as { [key: string]: JsonValue }
          const value = JSON.parse(JSON.stringify(given)) as JsonValue
          const before = structuredClone(source)
          const key = Object.keys(source)[0] ?? ''
          if (key === '__proto__') return
          const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
          const result = applyJsonPatch(source, [
            { op: 'replace', path, value },
            { op: 'test', path, value },
          ])
          expect((result as Record<string, unknown>)[key]).toEqual(value)
          expect(source).toEqual(before)
        },
      ),
    )
  })
})
