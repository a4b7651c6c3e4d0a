// Defaults and validation of built-in kinds that plain stored data does not have, by `group/resource` (`core` for the
// core group). The table of built-in kinds merges them in.

import type { KindRules } from '../schema-strategy.ts'

export const KIND_RULES: Readonly<Record<string, Partial<KindRules>>> = {}
