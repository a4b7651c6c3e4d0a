// The claim of a worker on a job, with the time until which it holds. Kept in annotations: the spec belongs to the request.

import type { RequestState } from './request-state.ts'

const WORKER = 'com.redhat.ecosystem.sample/worker'
const UNTIL = 'com.redhat.ecosystem.sample/claimed-until'

export interface Claim {
  readonly worker: string
  /** Milliseconds since the epoch. */
  readonly until: number
}

export function claimOf({ metadata: { annotations = {} } }: RequestState): Claim | undefined {
  const { [WORKER]: worker, [UNTIL]: until } = annotations
  return worker === undefined || until === undefined ? undefined : { worker, until: Date.parse(until) }
}

/** Whether another worker holds a claim that is not stale. */
export function isHeldByOther(claim: Claim | undefined, worker: string, now: number): claim is Claim {
  return claim !== undefined && claim.worker !== worker && claim.until > now
}

/** The request with the claim, or without one if that is undefined. */
export function claimed(request: RequestState, claim: Claim | undefined): RequestState {
  const { [WORKER]: _worker, [UNTIL]: _until, ...others } = request.metadata.annotations ?? {}
  const own = claim && { [WORKER]: claim.worker, [UNTIL]: new Date(claim.until).toISOString() }
  return { ...request, metadata: { ...request.metadata, annotations: { ...others, ...own } } }
}
