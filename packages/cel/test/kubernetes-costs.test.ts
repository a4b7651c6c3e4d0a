// Agreement with what cel-go answered in Kubernetes' environment: test/data/kubernetes-costs.json.

import { readFileSync } from 'node:fs'
import { readJson } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { createEnvironment } from '../src/environment.ts'
import type { CelType } from '../src/types/cel-type.ts'
import { schemaType } from '../src/types/schema-type.ts'
import { typeText } from '../src/types/type-text.ts'
import { plainOf } from './plain-value.fixture.ts'

interface Run {
  self: number
  cost: number
  error?: string
  value?: unknown
}

interface Case {
  schema: string
  expression: string
  issues?: string
  instantiation?: string
  type?: string
  estimate?: [number, number]
  runs?: Run[]
}

interface Recorded {
  schemas: Record<string, unknown>
  values: unknown[]
  cases: Case[]
}

const recorded = readJson(readFileSync(new URL('data/kubernetes-costs.json', import.meta.url), 'utf8'))
  .value as unknown as Recorded
const types = new Map(
  Object.entries(recorded.schemas).map(([name, schema]) => [name, schemaType(schema, { name: 'selfType' }) as CelType]),
)

/** Kubernetes' parser goes on after a keyword in place of a field and complains once more. */
const differs = new Set(['self.in'])

function compile({ schema, expression }: Case) {
  return createEnvironment({ variables: { self: types.get(schema) as CelType } }).compile(expression)
}

const compiled = recorded.cases.filter(({ type }) => type !== undefined)

describe('what Kubernetes answered', () => {
  it('is here', () => {
    expect(compiled.length).toBeGreaterThan(700)
  })

  it.each(recorded.cases.filter(({ issues, expression }) => issues !== undefined && !differs.has(expression)))(
    'refuses $expression with the same text',
    (one) => {
      expect(compile(one).issues?.text).toBe(one.issues)
    },
  )

  it.each(recorded.cases.filter(({ instantiation }) => instantiation !== undefined))(
    'cannot instantiate $expression',
    (one) => {
      expect(compile(one).issues).toMatchObject({ stage: 'program instantiation', text: one.instantiation })
    },
  )

  it.each(compiled)('types and estimates $expression ($schema)', (one) => {
    const { program, issues } = compile(one)
    expect(issues?.text).toBeUndefined()
    expect(typeText(program?.resultType as CelType)).toBe(one.type)
    expect([program?.cost.min, program?.cost.max]).toEqual(one.estimate?.map(Number))
  })

  it.each(compiled.filter(({ runs }) => runs !== undefined))('evaluates and charges $expression ($schema)', (one) => {
    for (const run of one.runs ?? []) {
      const { value, error, cost } = compile(one).program?.evaluate({ self: recorded.values[run.self] }) ?? {}
      expect({ value: error === undefined ? plainOf(value) : undefined, error: error?.message, cost }).toEqual({
        value: run.error === undefined ? run.value : undefined,
        error: run.error,
        cost: run.cost,
      })
    }
  })
})
