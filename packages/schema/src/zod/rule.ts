// A validation rule in two languages: JavaScript for the operator, CEL for the server. It is a Zod check that carries CEL.

import { refine } from 'zod'
import type { $ZodCheck } from 'zod/v4/core'
import type { CelRule } from './cel.ts'
import type { Check } from './zod-schema.ts'

/** Found again across two copies of this package. */
const RULE = Symbol.for('homeostat.schema.rule')

/**
 * `schema.check(k8s.rule('min must not be above max', (s) => s.min <= s.max, 'self.min <= self.max'))`: the same thing said
 * twice, with the message for who breaks it.
 */
export function rule<T>(message: string, js: (value: NoInfer<T>) => unknown, cel: string): $ZodCheck<T> {
  const check = refine<T>(js, { message })
  const carried: CelRule = { rule: cel, message }
  Object.defineProperty(check._zod.def, RULE, { value: carried, enumerable: true })
  return check
}

export function ruleOf(check: Check): CelRule | undefined {
  return check[RULE] as CelRule | undefined
}
