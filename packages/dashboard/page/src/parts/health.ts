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
/** What goes on, or does not: neither is news. */
const ACTIVITY = /^(?:Progressing|Reconciling|Updating|Scaling|Terminating|Deleting|Suspended|Paused)$/
/** Why something is not so, where that is no choice. */
const BAD_REASON = /Error|Fail|Invalid|Exceeded|Denied|Forbidden|Missing|NotFound|Timeout|BackOff/
/** The first of these that an object has says whether all of it is well, as for the server's overview. */
const VERDICTS = ['Ready', 'Available', 'Established', 'Healthy']

export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly observedGeneration?: number
}

/** Undefined for what is neither good nor bad news: of an object that is well, and of what goes on. */
export function conditionHealth(condition: Condition, all: readonly Condition[]): Health | undefined {
  const { type, status, reason } = condition
  if (status === 'Unknown') return 'busy'
  if (BAD_WHEN_TRUE.test(type)) return status === 'True' ? 'bad' : 'good'
  if (status === 'True') return ACTIVITY.test(type) ? undefined : 'good'
  const isNoNews = ACTIVITY.test(type) || verdictOf(all)?.status === 'True'
  return isNoNews && !BAD_REASON.test(String(reason)) ? undefined : 'bad'
}

function verdictOf(conditions: readonly Condition[]): Condition | undefined {
  return VERDICTS.map((verdict) => conditions.find(({ type }) => type === verdict)).find((one) => one !== undefined)
}
