// Calls that read a literal, such as `quantity('10Ti')`: once for all evaluations of a program, for the row `cel` of the benchmarks. They are
// charged each time, as by Kubernetes.

import type { Value } from '../values/value.ts'
import { Frame, type Run } from './frame.ts'

const readers: ReadonlySet<string> = new Set([
  'quantity',
  'isQuantity',
  'semver',
  'isSemver',
  'url',
  'isURL',
  'ip',
  'isIP',
  'ip.isCanonical',
  'cidr',
  'isCIDR',
])

/** A call of that function whose arguments are all constant. */
export function readOnce(name: string, run: Run): Run {
  if (!readers.has(name)) return run
  let known: { readonly value: Value; readonly cost: number } | undefined
  return (frame) => {
    if (known === undefined) {
      const alone = new Frame({}, Number.POSITIVE_INFINITY, 0)
      known = { value: run(alone), cost: alone.cost }
    }
    frame.charge(known.cost)
    return known.value
  }
}
