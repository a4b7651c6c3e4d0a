// Checks an object by the rules in CEL of its schema, after all else that validates it. The steps that validate call it. Long
// checks yield to the event loop between expressions.

import { yieldBetween, yieldToLoop } from '@homeostat/base'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import type { RuleFindings } from '@homeostat/schema'
import type { Write } from './write.ts'

/** A rule expects values of the declared types and sizes, so that after one of these it is not asked. */
const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

const UNCHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'

/** All causes, with those of the rules. */
export function checkRules({ type, object, old, request }: Write, causes: Cause[]): Cause[] | Promise<Cause[]> {
  if (causes.some(({ reason }) => BLOCKING.has(reason))) return [...causes, invalidValue('<nil>', null, UNCHECKED)]
  const steps = type.strategy.rules?.checkRules(object, old)
  if (steps === undefined) return causes
  const found = (findings: RuleFindings): Cause[] => {
    for (const warning of findings.warnings) request.warn(warning)
    return [...causes, ...findings.causes]
  }
  const step = steps.next()
  if (step.done) return found(step.value)
  return yieldToLoop()
    .then(() => yieldBetween(steps))
    .then(found)
}
