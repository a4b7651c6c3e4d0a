// A rule is said twice, in JavaScript for the operator and in CEL for the server: both must judge every value alike. And one
// that no server would take is refused when the definition is made.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileSchema } from '../../src/index.ts'
import { k8s, structuralSchema } from '../../src/zod/index.ts'

const range = z
  .object({ min: z.int32(), max: z.int32() })
  .check(k8s.rule('min must not be above max', (s) => s.min <= s.max, 'self.min <= self.max'))

const names = z
  .object({ names: z.array(z.string().max(20)).max(10) })
  .check(
    k8s.rule(
      'names must start alike',
      (s) => s.names.every((n) => n.startsWith('a')),
      "self.names.all(n, n.startsWith('a'))",
    ),
  )

const optional = z
  .object({ host: z.string().max(20).optional(), port: z.int().min(0).max(70000).optional() })
  .check(
    k8s.rule(
      'a port needs a host',
      (s) => s.port === undefined || s.host !== undefined,
      '!has(self.port) || has(self.host)',
    ),
  )

const labels = z.object({ labels: z.record(z.string(), z.string().max(20)) }).check(
  k8s.rule('few labels', (s) => Object.keys(s.labels).length < 3, 'size(self.labels) < 3'),
  k8s.rule(
    'no label is empty',
    (s) => Object.values(s.labels).every((v) => v !== ''),
    "self.labels.all(k, self.labels[k] != '')",
  ),
)

const word = fc.stringMatching(/^[ab-]{0,4}$/)
const int = fc.integer({ min: -5, max: 5 })

const twins: readonly [string, z.ZodType, fc.Arbitrary<unknown>][] = [
  ['numbers', range, fc.record({ min: int, max: int })],
  ['lists', names, fc.record({ names: fc.array(word, { maxLength: 3 }) })],
  ['absent fields', optional, fc.record({ host: word, port: fc.nat(9) }, { requiredKeys: [] })],
  ['maps', labels, fc.record({ labels: fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), word, { maxKeys: 4 }) })],
]

function judgedByServer(schema: z.ZodType, value: unknown): boolean {
  const compiled = compileSchema(structuralSchema(schema).schema, { root: 'object', rules: true })
  if (compiled.validate(value).length > 0) return false
  const steps = compiled.checkRules(value)
  for (let step = steps?.next(); step !== undefined; step = steps?.next())
    if (step.done) return step.value.causes.length === 0
  return true
}

describe('a rule in CEL judges as its twin in JavaScript', () => {
  it.each(twins)('%s', (_, schema, values) => {
    const seen = new Set<boolean>()
    fc.assert(
      fc.property(values, (value) => {
        const own = schema.safeParse(value).success
        seen.add(own)
        expect(judgedByServer(schema, value)).toBe(own)
      }),
    )
    expect(seen).toEqual(new Set([true, false]))
  })
})

describe('a rule that no server takes is refused when the definition is made', () => {
  const withRule = (cel: string) => z.object({ a: z.int() }).check(k8s.rule('m', () => true, cel))

  it.each([
    ['it does not parse', 'self.a >', 'Syntax error'],
    ['it names a field that is not there', 'self.b > 1', "undefined field 'b'"],
    ['it compares what does not compare', "self.a > 'x'", 'found no matching overload'],
    ['it is no condition', 'self.a', 'must evaluate to a bool'],
  ])('%s', (_, cel, message) => {
    expect(() => structuralSchema(withRule(cel))).toThrow(message)
  })

  it('it costs too much', () => {
    const schema = z
      .object({ all: z.array(z.string()) })
      .check(k8s.rule('m', () => true, 'self.all.all(x, self.all.all(y, x != y))'))
    expect(() => structuralSchema(schema)).toThrow('exceeds budget by factor of more than 100x')
  })
})
