import { deepClone } from '@homeostat/meta'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileSchema } from '../../src/index.ts'
import { validateDefinitionSchema } from '../../src/with-cel.ts'
import { fromWire, structuralSchema } from '../../src/zod/index.ts'
import { cases } from './random-schema.ts'

/** Whether a server takes the schema: deep lists without bounds make the rules of unions in them too expensive. */
function isAffordable(schema: z.ZodType): boolean {
  try {
    structuralSchema(schema)
    return true
  } catch (error) {
    if (String(error).includes('exceeding cost limit')) return false
    throw error
  }
}

/** What the server makes of a value, and whether it takes it. */
function server(schema: z.ZodType, value: unknown) {
  const { schema: spec } = structuralSchema(schema)
  const compiled = compileSchema({ type: 'object', properties: { spec } }, { root: 'object' })
  const object = { spec: deepClone(value) }
  compiled.prune(object)
  compiled.applyDefaults(object)
  return { stored: object.spec, causes: compiled.validate(object) }
}

function accepts(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(fromWire(schema, value)).success
}

// Each schema is used once: compiling it would take longer than reading it.
z.config({ jitless: true })

const runs = { numRuns: 150 }

describe('Zod and the server', () => {
  it('agree: what Zod accepts the server accepts', () => {
    fc.assert(
      fc.property(cases, ({ schema, value }) => {
        fc.pre(accepts(schema, value) && isAffordable(schema))
        expect(server(schema, value).causes).toEqual([])
      }),
      runs,
    )
  })

  it('agree: what the server stores Zod accepts', () => {
    fc.assert(
      fc.property(cases, ({ schema, value }) => {
        fc.pre(isAffordable(schema))
        const { stored, causes } = server(schema, value)
        fc.pre(causes.length === 0)
        expect(schema.safeParse(fromWire(schema, stored)).error).toBeUndefined()
      }),
      runs,
    )
  })

  it('agree on both verdicts often enough for the comparison to mean something', () => {
    const samples = fc.sample(cases, { numRuns: 300, seed: 1 }).map(({ schema, value }) => accepts(schema, value))
    const accepted = samples.filter(Boolean).length
    expect(accepted).toBeGreaterThan(60)
    expect(accepted).toBeLessThan(240)
  })

  it('make definitions that a server accepts', () => {
    fc.assert(
      fc.property(cases, ({ schema }) => {
        fc.pre(isAffordable(schema))
        const root = { type: 'object', properties: { spec: structuralSchema(schema).schema } }
        expect(validateDefinitionSchema(root, '').causes).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})
