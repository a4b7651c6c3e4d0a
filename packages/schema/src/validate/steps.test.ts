import { cpuMs } from '@homeostat/base/testing/cpu-time'
import { expect, it, onTestFinished, vi } from 'vitest'
import { FieldPath } from '../compile/field-path.ts'
import { compileSchema } from '../with-cel.ts'

const items = (count: number, make: (i: number) => unknown) => Array.from({ length: count }, (_, i) => make(i))

it('a long enumeration is one look-up, whatever its values are', () => {
  const values = [...items(20_000, (i) => `v${i}`), { a: 1, b: [2] }, 3]
  const schema = compileSchema(
    { type: 'object', properties: { list: { type: 'array', items: { enum: values as never } } } },
    { root: 'object' },
  )
  const object = { list: [...items(20_000, (i) => `v${i}`), { b: [2], a: 1 }, 3] }
  expect(schema.validate(object)).toEqual([])
  expect(cpuMs(() => schema.validate(object))).toBeLessThan(2000)
  const [cause] = schema.validate({ list: ['3'] })
  expect(cause?.message).toContain('"v99"')
  expect(cause?.message).not.toContain('"v100"')
})

it('an object whose branches multiply is refused, and not checked for ever', () => {
  const branches = items(1000, (i) => ({ required: [`missing-${i}`] }))
  const schema = compileSchema(
    {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'object', not: { anyOf: branches } } } },
    } as never,
    { root: 'object' },
  )
  expect(schema.validate({ list: items(10, () => ({})) })).toEqual([])
  expect(schema.validate({ list: items(10_000, () => ({})) })).toMatchObject([
    { message: expect.stringContaining('takes too many steps to validate') },
  ])
})

it('no texts are made about branches that do not fit where another one does', () => {
  const branches = [...items(50, (i) => ({ required: [`missing-${i}`], properties: { a: { minLength: 5 } } })), {}]
  const schema = compileSchema(
    {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'object', anyOf: branches, properties: { a: {} } } } },
    } as never,
    { root: 'object' },
  )
  const texts = vi.spyOn(FieldPath.prototype, 'toString')
  onTestFinished(() => texts.mockRestore())
  expect(schema.validate({ list: items(100, () => ({ a: 'b' })) })).toEqual([])
  expect(texts).toHaveBeenCalledTimes(0)
})

it('defaults end when they make the object too large for any use', () => {
  const schema = compileSchema(
    {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string', default: 'x'.repeat(1000) } } },
        },
      },
    },
    { root: 'object' },
  )
  const object = { list: items(100_000, () => ({})) }
  schema.applyDefaults(object)
  const { length } = JSON.stringify(object)
  expect(length).toBeGreaterThan(2 << 20)
  expect(length).toBeLessThan(3 << 20)
})
