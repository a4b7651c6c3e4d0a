// Whether an object says that it is not as it should be. Pure. Kinds agree on few words, so only those are taken; what says
// nothing is not judged.

import { isObject, type KubeObject } from '@homeostat/meta'

export interface NotReady {
  readonly reason: string
  readonly message: string
  /** Milliseconds since the epoch; 0 when unknown. */
  readonly since: number
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly since: number
}

/** The first of these that an object has decides. */
const GOOD = ['Ready', 'Available', 'Established', 'Healthy']
/** Conditions whose truth is bad news, wherever the object has none of the above. */
const BAD = new Set(['Failed', 'Degraded', 'Stalled'])
/** How a Pod that has done its work says that it serves nobody any more. */
const COMPLETED = 'PodCompleted'
const BAD_PHASES = new Set(['Failed', 'Lost', 'Error'])
/** Messages are shown in a line; a status may hold any amount of text. */
const LONGEST = 300
/** A status may hold any number of conditions. */
const MOST = 200

export function notReady({ status }: KubeObject): NotReady | undefined {
  if (!isObject(status)) return undefined
  const conditions = conditionsOf(status.conditions)
  const verdict = GOOD.map((type) => conditions.find((one) => one.type === type)).find((one) => one !== undefined)
  if (verdict !== undefined)
    return verdict.status === 'True' || verdict.reason === COMPLETED ? undefined : shown(verdict)
  const bad = conditions.find(({ type, status }) => BAD.has(type) && status === 'True')
  if (bad !== undefined) return shown(bad)
  const { phase, reason, message } = status
  if (typeof phase !== 'string' || !BAD_PHASES.has(phase)) return undefined
  return { reason: cut(textOf(reason) || phase), message: cut(textOf(message)), since: 0 }
}

function conditionsOf(value: unknown): Condition[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, MOST).flatMap((one: unknown) => {
    if (!isObject(one) || typeof one.type !== 'string' || typeof one.status !== 'string') return []
    const { type, status, reason, message, lastTransitionTime } = one
    const since = typeof lastTransitionTime === 'string' ? Date.parse(lastTransitionTime) : 0
    return [{ type, status, reason: textOf(reason), message: textOf(message), since: Number.isNaN(since) ? 0 : since }]
  })
}

function shown({ type, reason, message, since }: Condition): NotReady {
  return { reason: cut(reason || type), message: cut(message), since }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
