// Patterns must compile under RE2, and compiling all of them must not take long.

import { messageOf } from '@homeostat/base'
import type { Cel } from '@homeostat/cel/without-compiler'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import { Pattern } from '../compile/pattern.ts'
import { type JsonSchema, stringOf } from '../json-schema.ts'
import { bounded } from './limits.ts'
import type { SchemaWalk, Steps } from './schema-walk.ts'
import { allSchemas } from './sub-schemas.ts'

/** Instructions of all distinct patterns in total: some 50 ms of work at worst. */
const MAX_TOTAL = 50_000
const EACH = 50
/** The cost of a refused pattern, which may have been refused for its size. */
const FAILED = 2_000

export function* patternRules(root: JsonSchema, path: string, walk: SchemaWalk, cel: Cel): Steps<Cause[]> {
  const causes: Cause[] = []
  const verdicts = new Map<string, string | undefined>()
  let left = MAX_TOTAL
  for (const { schema, path: at } of allSchemas(root, walk, path)) {
    if (walk.isDue()) yield
    const source = stringOf(schema.pattern)
    if (source === '') continue
    if (!verdicts.has(source)) {
      left -= EACH + source.length
      const { error, size } = left < 0 ? { error: tooMuch, size: 0 } : compile(source, cel)
      left -= size
      verdicts.set(source, error)
    }
    const error = verdicts.get(source)
    if (error !== undefined) {
      const detail = `must be a valid regular expression, but isn't: ${error}`
      causes.push(invalidValue(`${at}.pattern`, source, detail))
    }
  }
  return bounded(causes)
}

const tooMuch = `the patterns of this schema are too large together, at most ${MAX_TOTAL} instructions`

function compile(source: string, cel: Cel): { error: string | undefined; size: number } {
  try {
    return { error: undefined, size: new Pattern(source, cel).size }
  } catch (error) {
    return { error: messageOf(error), size: FAILED }
  }
}
