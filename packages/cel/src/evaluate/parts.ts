// The kinds of parts that are made alike everywhere.

import type { Value } from '../values/value.ts'
import type { Part, Run } from './frame.ts'

export function constant(value: Value): Part {
  return { run: () => value, constant: { value } }
}

/** An attribute of a condition costs what its branches cost; all others cost one more at their end. */
export function attribute(bare: Run, isConditional = false): Part {
  if (isConditional) return { run: bare, attribute: { bare, isConditional } }
  const run: Run = (frame) => {
    const value = bare(frame)
    frame.charge(1)
    return value
  }
  return { run, attribute: { bare, isConditional } }
}
