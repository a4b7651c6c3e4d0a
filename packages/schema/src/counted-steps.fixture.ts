// Counts the work of steps in reads of a schema, which no busy machine changes.

import type { JsonSchema } from './json-schema.ts'

export interface Cost<T> {
  /** Reads of a keyword, and names of a list of names, in all steps together. */
  readonly total: number
  /** The most in one step. */
  readonly longest: number
  readonly result: T
}

export function costOf<T>(
  schema: JsonSchema,
  run: (schema: JsonSchema) => Generator<undefined, T, undefined>,
): Cost<T> {
  const meter = { reads: 0 }
  const steps = run(counted(schema, meter, new Map()) as JsonSchema)
  let longest = 0
  let total = 0
  for (;;) {
    meter.reads = 0
    const step = steps.next()
    longest = Math.max(longest, meter.reads)
    total += meter.reads
    if (step.done) return { total, longest, result: step.value }
  }
}

function counted(value: unknown, meter: { reads: number }, known: Map<object, object>): unknown {
  if (typeof value !== 'object' || value === null) return value
  let proxy = known.get(value)
  if (proxy === undefined) {
    proxy = new Proxy(value, {
      get(target, name) {
        meter.reads++
        return counted(Reflect.get(target, name), meter, known)
      },
      ownKeys(target) {
        const names = Reflect.ownKeys(target)
        meter.reads += names.length
        return names
      },
    })
    known.set(value, proxy)
  }
  return proxy
}
