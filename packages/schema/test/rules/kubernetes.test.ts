// What a kube-apiserver said of rules, of objects and updates checked by them, and of their estimated costs.

import { readFileSync } from 'node:fs'
import type { Cause } from '@homeostat/meta/server'
import { describe, expect, it } from 'vitest'
import { type CompiledSchema, compileSchema, type JsonSchema } from '../../src/index.ts'
import { validateDefinitionSchema } from '../../src/with-cel.ts'
import { BLOCKED } from './blocked.fixture.ts'

interface Verdict {
  /** False: the first object of a pair was refused already. */
  readonly created?: false
  readonly causes: readonly Cause[]
}

interface Recorded {
  readonly rule: string
  readonly accepted: boolean
  readonly refusal?: Verdict
  readonly values?: readonly unknown[]
  readonly verdicts?: readonly (true | Verdict)[]
  readonly updates?: readonly (readonly [unknown, unknown])[]
  readonly updateVerdicts?: readonly (true | Verdict)[]
}

const recorded: {
  readonly schema: JsonSchema
  readonly unbounded: JsonSchema
  readonly rules: readonly Recorded[]
  readonly costs: readonly Recorded[]
} = JSON.parse(readFileSync(new URL('./kubernetes-1.35.8.json', import.meta.url), 'utf8'))

const ROOT = 'spec.validation.openAPIV3Schema'
const KEYS = ['rule', 'message', 'messageExpression', 'reason', 'fieldPath', 'optionalOldSelf'] as const

/** The schema with the rule at a field of the spec. */
function withRule(schema: JsonSchema, one: Recorded): JsonSchema {
  const given = one as unknown as Record<string, unknown>
  const rule = Object.fromEntries(KEYS.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])))
  const value = { ...schema, 'x-kubernetes-validations': [rule] }
  return { type: 'object', properties: { spec: { type: 'object', properties: { value } } } }
}

function inOrder(causes: readonly Cause[], from: string, to: string): Cause[] {
  const text = (cause: Cause) => `${cause.field} ${cause.reason} ${cause.message}`
  return causes
    .map((cause) => ({
      ...cause,
      field: cause.field.replace(from, to),
      message: cause.message.replace(/\bspec\.r\d+\b/g, 'spec.value'),
    }))
    .sort((a, b) => (text(a) < text(b) ? -1 : 1))
}

function judged(one: Recorded, schema: JsonSchema): Cause[] {
  const { causes } = validateDefinitionSchema(withRule(schema, one), ROOT)
  return inOrder(causes, `${ROOT}.properties[spec].properties[value]`, '$schema')
}

function verdict(compiled: CompiledSchema, value: unknown, old?: unknown): true | Cause[] {
  const object = objectOf(compiled, value)
  const before = old === undefined ? undefined : objectOf(compiled, old)
  const causes = compiled.validate(object, before)
  if (causes.some(({ reason }) => BLOCKED.has(reason))) return inOrder([...causes, UNCHECKED], 'spec.value', '$value')
  const steps = compiled.checkRules(object, before)
  for (let step = steps?.next(); step !== undefined; step = steps?.next())
    if (step.done) {
      const all = [...causes, ...step.value.causes]
      return all.length === 0 ? true : inOrder(all, 'spec.value', '$value')
    }
  throw new Error('there is no rule')
}

const UNCHECKED: Cause = {
  field: '<nil>',
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
}

function objectOf(compiled: CompiledSchema, value: unknown): unknown {
  const object = { spec: { value: structuredClone(value) } }
  compiled.prune(object)
  compiled.applyDefaults(object)
  return object
}

const expected = (one: true | Verdict): true | Cause[] =>
  one === true ? true : inOrder(one.causes, 'spec.value', '$value')

describe('a definition with a rule is accepted or refused as by kube-apiserver', () => {
  it.each(recorded.rules.map((one) => [one.rule.slice(0, 80), one] as const))('%s', (_, one) => {
    expect(judged(one, recorded.schema)).toEqual(one.accepted ? [] : inOrder(one.refusal?.causes ?? [], '', ''))
  })

  it.each(recorded.costs.map((one) => [one.rule, one] as const))('by its cost: %s', (_, one) => {
    expect(judged(one, recorded.unbounded)).toEqual(one.accepted ? [] : inOrder(one.refusal?.causes ?? [], '', ''))
  })
})

describe('objects are judged as by kube-apiserver', () => {
  const accepted = recorded.rules.filter((one) => one.accepted)

  it.each(accepted.map((one) => [one.rule.slice(0, 80), one] as const))('%s', (_, one) => {
    const compiled = compileSchema(withRule(recorded.schema, one), { root: 'custom-resource', rules: true })
    for (const [index, value] of (one.values ?? []).entries()) {
      const said = one.verdicts?.[index] as true | Verdict
      expect({ value, said: verdict(compiled, value) }).toEqual({ value, said: expected(said) })
    }
    for (const [index, [old, value]] of (one.updates ?? []).entries()) {
      const said = one.updateVerdicts?.[index] as true | Verdict
      const asked = said !== true && said.created === false ? verdict(compiled, old) : verdict(compiled, value, old)
      expect({ old, value, said: asked }).toEqual({ old, value, said: expected(said) })
    }
  })
})
