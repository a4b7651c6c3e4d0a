// Decides the next step of a call for work. Pure. The long poll in pull.ts carries the step out and asks again.

/** What the call has so far. */
export type Found =
  /** It has not looked into the queue since something may have changed. */
  | 'unknown'
  /** There is nothing for it in the queue. */
  | 'nothing'
  /** Processes that are reserved for it and not written yet. */
  | 'reserved'
  /** Processes that were written as running on it. */
  | 'running'
  /** Its wait ended without work: the time was up, or the response has to name a cancel. */
  | 'ended'

export interface Situation {
  readonly found: Found
  /** The caller is still connected. */
  readonly isConnected: boolean
  /** The Executor object still exists; nothing would end the wait of a deleted one. */
  readonly isRegistered: boolean
  /** Until the long poll has to be answered. */
  readonly msLeft: number
}

export type PullStep =
  /** Look into the queue, and reserve what is there. */
  | 'look'
  | 'assign'
  | 'wait'
  | 'respond'
  /** Requeue the assigned Processes: the caller has disconnected. */
  | 'give-back'

export function nextPullStep({ found, isConnected, isRegistered, msLeft }: Situation): PullStep {
  switch (found) {
    case 'running':
      return isConnected ? 'respond' : 'give-back'
    case 'reserved':
      return 'assign'
    case 'unknown':
      return isConnected ? 'look' : 'respond'
    case 'nothing':
      return isConnected && isRegistered && msLeft > 0 ? 'wait' : 'respond'
    case 'ended':
      return 'respond'
  }
}
