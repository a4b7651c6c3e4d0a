// Schemas and objects made to hurt: each must be answered soon and leave nothing behind.

import { cpuMs } from '@homeostat/base/testing/cpu-time'
import { describe, expect, it } from 'vitest'
import { compileSchema, type JsonSchema } from '../src/index.ts'

const soon = (work: () => unknown) => {
  let result: unknown
  expect(
    cpuMs(() => {
      result = work()
    }),
  ).toBeLessThan(10_000)
  return result
}
const field = (schema: JsonSchema) => compileSchema({ type: 'object', properties: { f: schema } }, { root: 'object' })

describe('regular expressions', () => {
  it.each([
    ['(a+)+$', `${'a'.repeat(50_000)}b`],
    ['^(a|a)*$', `${'a'.repeat(50_000)}b`],
    ['(x+x+)+y$', `${'x'.repeat(100_000)}yz`],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(50_000)],
  ])('%s does not run away', (pattern, text) => {
    expect(soon(() => field({ type: 'string', pattern }).validate({ f: text }))).toHaveLength(1)
  })

  it('share one budget per object', () => {
    const pattern = '\\b(\\w+\\W+){1,300}\\b$'
    const list = Array.from({ length: 90 }, (_, i) => `${'ab '.repeat(5_000)}${i}!`)
    const schema = field({ type: 'array', items: { type: 'string', pattern } })
    const causes = soon(() => schema.validate({ f: list })) as { message: string }[]
    expect(causes.some((cause) => cause.message.includes('takes too long to match'))).toBe(true)
  })

  it('that are too large do not compile', () => {
    expect(soon(() => field({ type: 'string', pattern: '((a{0,30}){0,30}){0,30}' }).validate({ f: 'a' }))).toEqual([])
  })
})

describe('deep nesting', () => {
  const cycle: JsonSchema = { type: 'object', properties: { x: { type: 'string', default: 'd' } } }
  Object.assign(cycle.properties as object, { a: cycle, list: { type: 'array', items: cycle } })
  const schema = compileSchema(cycle, { root: 'object' })
  const nest = (levels: number) => {
    let value: Record<string, unknown> = { x: 'end' }
    for (let i = 0; i < levels; i++) value = { a: value }
    return value
  }

  it('within the limit is walked, through a schema that contains itself', () => {
    const value = nest(500)
    expect(schema.prune(value)).toEqual([])
    schema.applyDefaults(value)
    expect(value.x).toBe('d')
    expect(schema.validate(value)).toEqual([])
    expect(schema.decodeErrors(value)).toEqual([])
  })

  it('beyond it is refused, not a crash', () => {
    const value = nest(100_000)
    schema.prune(value)
    schema.applyDefaults(value)
    schema.decodeErrors(value)
    expect(schema.validate(value)[0]?.message).toContain('must not be nested deeper')
  })

  it('of lists without a schema is not followed to the end', () => {
    let value: unknown[] = []
    for (let i = 0; i < 100_000; i++) value = [value]
    const object = { f: value }
    expect(() => field({ type: 'object', additionalProperties: true }).prune(object)).not.toThrow()
  })
})

describe('large values', () => {
  const many = 200_000

  it('in sets and maps cost time in proportion to their size', () => {
    const set = field({ type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' })
    expect(soon(() => set.validate({ f: Array.from({ length: many }, (_, i) => i) }))).toEqual([])
    const map = field({
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
    })
    const list = Array.from({ length: many / 4 }, (_, i) => ({ a: i, b: i }))
    expect(soon(() => map.validate({ f: list }, { f: list }))).toEqual([])
  })

  it('full of unknown fields are pruned at once', () => {
    const object = { f: Object.fromEntries(Array.from({ length: many / 4 }, (_, i) => [`f${i}`, i])) }
    expect(soon(() => field({ type: 'object' }).prune(object))).toHaveLength(many / 4)
    expect(object).toEqual({ f: {} })
  })

  it('with duplicates everywhere report a bounded number of them', () => {
    const set = field({ type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' })
    const list = Array.from({ length: many }, (_, i) => i >> 1)
    expect(soon(() => set.validate({ f: list }))).toHaveLength(101)
  })
})

it('no schema or object reaches Object.prototype', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"object","default":{"evil":1},"properties":{"evil":{"type":"integer"}}}}}',
  )
  const object = JSON.parse('{"constructor":{"prototype":{"evil":1}},"a":{"__proto__":{"evil":1}}}')
  const compiled = compileSchema(schema, { root: 'object' })
  compiled.prune(object)
  compiled.applyDefaults(object)
  compiled.validate(object, object)
  expect(({} as Record<string, unknown>).evil).toBeUndefined()
  expect(JSON.stringify(object)).toBe('{"__proto__":{"evil":1}}')
})
