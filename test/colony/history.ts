// What happened to a colony, as its clients and a watcher saw it: the input of the checker. Times are milliseconds of the
// clock that clients and server share; a call that was never answered has no `answeredAt`.

export interface Sent {
  readonly sentAt: number
  readonly answeredAt?: number
  /** `unknown`: no whole answer came. */
  readonly outcome: 'accepted' | 'refused' | 'unknown'
}

/** A Process was submitted under a name of the client's. */
export interface Submit extends Sent {
  readonly process: string
  /** Of an accepted one. Absent when the answer was that it exists already. */
  readonly uid?: string
}

/** An executor was given an attempt, and knows it. */
export interface Taken {
  readonly process: string
  readonly attempt: number
  readonly executor: string
  readonly answeredAt: number
}

/** An attempt was closed, in whichever way it was sent. `token` is its output. */
export interface Close extends Sent {
  readonly process: string
  readonly attempt: number
  readonly executor: string
  readonly result: 'Succeeded' | 'Failed' | 'Cancelled'
  readonly requeue: boolean
  readonly token: string
}

export interface Heartbeat extends Sent {
  readonly executor: string
  /** `process#attempt` of each. */
  readonly holding: readonly string[]
}

/** Any call of an executor, also the ones above: a sign of life. */
export interface Contact extends Sent {
  readonly executor: string
}

/** Somebody deleted an Executor. */
export interface Removal extends Sent {
  readonly executor: string
}

/** Somebody asked for the end of a Process. */
export interface Cancel extends Sent {
  readonly process: string
}

/** A committed state of a Process, as the watch delivered it. */
export interface State {
  readonly revision: number
  readonly process: string
  readonly uid: string
  readonly gone: boolean
  readonly phase: string
  readonly attempt: number
  readonly executor: string | undefined
  readonly concurrencyKey: string | undefined
  readonly maxRetries: number
  readonly retries: number
  readonly startedAt: number | undefined
  readonly execDeadline: number | undefined
  readonly finishedAt: string | undefined
  readonly token: string | undefined
}

export interface History {
  readonly submits: readonly Submit[]
  readonly taken: readonly Taken[]
  readonly closes: readonly Close[]
  readonly heartbeats: readonly Heartbeat[]
  readonly contacts: readonly Contact[]
  readonly removals: readonly Removal[]
  readonly cancels: readonly Cancel[]
  /** In the order of revisions. */
  readonly states: readonly State[]
  /** What a list showed at the very end. */
  readonly listed: readonly State[]
}

export function attemptId(process: string, attempt: number): string {
  return `${process}#${attempt}`
}

export function hasEnded({ phase }: Pick<State, 'phase'>): boolean {
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Cancelled'
}
