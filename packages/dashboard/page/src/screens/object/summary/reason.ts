// How an object is, and why it is not ready: what its summary begins with. Pure; a status may hold anything.

import type { LiveObject } from '../../../live/object.ts'
import { type Condition, conditionHealth, type Health, healthOf } from '../../../parts/health.ts'

export interface Reason {
  readonly health: Health
  /** E.g. `Ready is False`. */
  readonly what: string
  readonly reason?: string | undefined
  readonly message?: string | undefined
  readonly since?: string | undefined
}

/** What to look at first; others keep their order behind. */
const FIRST = ['Ready', 'Available', 'Healthy', 'Complete', 'Established']
const PHASES = ['phase', 'state'] as const

/** The worst first; empty for an object that is as it should be, or that does not say. */
export function reasonsOf(object: LiveObject): Reason[] {
  const reasons = [...deletion(object), ...conditionReasons(object), ...unseen(object)]
  return reasons.length > 0 ? reasons : phaseReason(object)
}

/** Undefined for what does not tell. */
export function objectHealth(object: LiveObject): Health | undefined {
  const reasons = reasonsOf(object)
  if (reasons.some(({ health }) => health === 'bad')) return 'bad'
  if (reasons.length > 0) return 'busy'
  if (conditionsOf(object.status).length > 0) return 'good'
  const { word } = phaseOf(object.status) ?? {}
  return word === undefined ? undefined : healthOf('phase', word)
}

/** One word for a badge. */
export function healthWord(object: LiveObject): string | undefined {
  const { word } = phaseOf(object.status) ?? {}
  if (object.metadata.deletionTimestamp !== undefined) return 'Being deleted'
  if (word !== undefined && word.length <= 40) return word
  const health = objectHealth(object)
  if (health === undefined) return undefined
  return { good: 'Ready', busy: 'In progress', bad: 'Not ready' }[health]
}

/** Only what has the form of conditions. */
export function conditionsOf(status: unknown): Condition[] {
  const found = (status as { conditions?: unknown } | null | undefined)?.conditions
  if (!Array.isArray(found)) return []
  return found.filter((one) => typeof one?.type === 'string' && typeof one?.status === 'string') as Condition[]
}

function conditionReasons({ status }: LiveObject): Reason[] {
  // What has ended well says of itself that it is not ready any more.
  if (phaseOf(status)?.word === 'Succeeded') return []
  const conditions = conditionsOf(status)
  return conditions
    .filter(({ reason }) => reason !== 'PodCompleted')
    .flatMap((condition) => {
      const health = conditionHealth(condition, conditions)
      return health === undefined || health === 'good' ? [] : [{ condition, health }]
    })
    .toSorted((a, b) => rankOf(a.condition, a.health) - rankOf(b.condition, b.health))
    .map(({ condition, health }) => ({
      health,
      what: `${condition.type} is ${condition.status}`,
      reason: text(condition.reason),
      message: text(condition.message),
      since: text(condition.lastTransitionTime),
    }))
}

function rankOf({ type }: Condition, health: Health): number {
  const first = FIRST.indexOf(type)
  return (health === 'bad' ? 0 : 100) + (first < 0 ? FIRST.length : first)
}

function deletion({ metadata }: LiveObject): Reason[] {
  const { deletionTimestamp, finalizers = [] } = metadata
  if (deletionTimestamp === undefined) return []
  const message = finalizers.length === 0 ? undefined : `It waits for ${finalizers.join(', ')}`
  return [{ health: 'busy', what: 'It is being deleted', message, since: deletionTimestamp }]
}

function unseen({ metadata, status }: LiveObject): Reason[] {
  const { generation } = metadata
  const seen = (status as { observedGeneration?: unknown } | null | undefined)?.observedGeneration
  if (generation === undefined || typeof seen !== 'number' || seen >= generation) return []
  const message = `Its status is about generation ${seen}; wanted is generation ${generation}`
  return [{ health: 'busy', what: 'Its controller has not seen the last change', message }]
}

function phaseReason({ status }: LiveObject): Reason[] {
  const phase = phaseOf(status)
  if (phase === undefined) return []
  const health = healthOf('phase', phase.word)
  if (health === undefined || health === 'good') return []
  const { reason, message } = status as { reason?: unknown; message?: unknown }
  return [{ health, what: `Its ${phase.field} is ${phase.word}`, reason: text(reason), message: text(message) }]
}

function phaseOf(status: unknown): { field: string; word: string } | undefined {
  for (const field of PHASES) {
    const word = (status as Record<string, unknown> | null | undefined)?.[field]
    if (typeof word === 'string' && word !== '') return { field, word }
  }
  return undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
