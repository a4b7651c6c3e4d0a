// Says whether an executor is online that can run a function: a missing one is the usual reason for waiting. Pure.

import type { ApiObject } from '@homeostat/client'
import type { Executor } from '@homeostat/executor/protocol'

/** The executor type of handlers that run in the colony itself; no executor is needed. */
export const COMPOSITE = 'composite'

/** Why nothing happens: no executor of that type, or none with the function. An executor that names no functions takes any. */
export function nobodyOnline(
  type: string | undefined,
  executors: readonly ApiObject[] | undefined,
  funcName?: string,
): string | undefined {
  if (type === undefined || type === COMPOSITE || executors === undefined) return undefined
  const online = (executors as readonly Executor[]).filter(
    // An executor that has just registered has no phase yet.
    ({ spec, status }) => spec.type === type && status?.phase !== 'Lost',
  )
  if (online.length === 0) return `no executor of type ${type} is online`
  const offered = new Set(online.flatMap(({ spec }) => spec.functions ?? []))
  const takesAny = online.some(({ spec }) => (spec.functions ?? []).length === 0)
  if (funcName === undefined || takesAny || offered.has(funcName)) return undefined
  return `no executor of type ${type} that is online has the function ${funcName}; they have ${[...offered].sort().join(', ')}`
}
