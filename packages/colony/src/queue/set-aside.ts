// A Process that cannot be handled, because reading it throws, is set aside with a condition. The queue goes on without it
// until its spec changes or a user removes the condition.

import { type Condition, type KubeObject, setCondition } from '@homeostat/meta'

export const SET_ASIDE = 'SetAside'
export const CANNOT_BE_HANDLED = 'CannotBeHandled'

const MAX_MESSAGE = 1024
const NONE: readonly Condition[] = []

/** Other fields stay as they were. */
interface SetAsideStatus {
  readonly conditions: readonly Condition[]
}

export function isSetAside({ metadata, status }: KubeObject): boolean {
  return conditionsOf(status).some(
    ({ type, status: is, observedGeneration }) =>
      type === SET_ASIDE && is === 'True' && observedGeneration === (metadata.generation ?? 0),
  )
}

/** Keeps a status that is an object, and drops any other value: the status itself may be what cannot be handled. */
export function setAsideStatus({ metadata, status }: KubeObject, why: string, now: number): SetAsideStatus {
  const kept = typeof status === 'object' && status !== null && !Array.isArray(status) ? status : {}
  const condition = {
    type: SET_ASIDE,
    status: 'True' as const,
    reason: CANNOT_BE_HANDLED,
    message: why.slice(0, MAX_MESSAGE),
    observedGeneration: metadata.generation ?? 0,
  }
  return { ...kept, conditions: setCondition(conditionsOf(status), condition, now) }
}

function conditionsOf(status: unknown): readonly Condition[] {
  const conditions = (status as { conditions?: unknown } | undefined | null)?.conditions
  if (!Array.isArray(conditions)) return NONE
  return conditions.filter((one: unknown): one is Condition => typeof one === 'object' && one !== null && 'type' in one)
}
