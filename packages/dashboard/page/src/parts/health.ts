// How a word of a status is to be taken: good, busy or bad. What nobody knows has no colour.

export type Health = 'good' | 'busy' | 'bad'

const GOOD = new Set([
  'true',
  'ready',
  'running',
  'active',
  'bound',
  'available',
  'succeeded',
  'successful',
  'complete',
  'completed',
  'approved',
  'healthy',
])
const BUSY = new Set([
  'pending',
  'waiting',
  'progressing',
  'unknown',
  'terminating',
  'assigned',
  'scheduled',
  'suspended',
  'creating',
])
const BAD = new Set([
  'false',
  'failed',
  'error',
  'notready',
  'degraded',
  'crashloopbackoff',
  'lost',
  'rejected',
  'unhealthy',
])
const NAMES = /^(?:ready|status|phase|state|available|health|approved|condition|accepted)/i

export function healthOf(column: string, value: string): Health | undefined {
  if (!NAMES.test(column)) return undefined
  const word = value.toLowerCase()
  if (GOOD.has(word)) return 'good'
  if (BUSY.has(word)) return 'busy'
  return BAD.has(word) ? 'bad' : undefined
}

/** Conditions whose truth is bad news. */
const BAD_WHEN_TRUE = /(?:Pressure|Failed|Failure|Degraded|Stalled|Unavailable|Error|Stuck)$/

export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly observedGeneration?: number
}

export function conditionHealth({ type, status }: Condition): Health {
  if (status === 'Unknown') return 'busy'
  return (status === 'True') === BAD_WHEN_TRUE.test(type) ? 'bad' : 'good'
}
