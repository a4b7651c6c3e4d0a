// The `cpu` and `memory` that an executor has free while Processes run, for its next assign.

import { formatQuantity, parseQuantity } from '@homeostat/meta'
import type { AssignRequest, Process } from './protocol.ts'

/** Undefined without such capabilities: there is no limit then. */
export function freeCapacity(
  capabilities: Readonly<Record<string, unknown>> | undefined,
  running: readonly Process[],
): AssignRequest['free'] {
  const cpu = left(capabilities?.cpu, running, 'cpu')
  const memory = left(capabilities?.memory, running, 'memory')
  if (cpu === undefined && memory === undefined) return undefined
  return { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) }
}

function left(capability: unknown, running: readonly Process[], what: 'cpu' | 'memory'): string | undefined {
  const whole = parseQuantity(capability)
  if (whole === undefined) return undefined
  const used = running.map(({ spec }) => parseQuantity(spec.conditions[what])?.nanos ?? 0n)
  const nanos = used.reduce((rest, amount) => rest - amount, whole.nanos)
  return formatQuantity({ ...whole, nanos: nanos > 0n ? nanos : 0n })
}
