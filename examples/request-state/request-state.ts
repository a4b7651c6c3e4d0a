// The RequestState kind and its state machine. Pure: no server, no clock.

import type { ApiObject } from '@homeostat/client'
import { rfc3339 } from '@homeostat/meta'

export const API_VERSION = 'com.redhat.ecosystem.sample/v1'
export const KIND = 'RequestState'

export type State = 'REQUESTED' | 'STARTED' | 'COMPLETED'

export interface Step {
  readonly job: string
  readonly state: State
}

export interface RequestState extends ApiObject {
  spec: { 'request-uid': string; job: string; state: State }
  status?: { history?: { job: string; state: string; timestamp: string }[] }
}

declare module '@homeostat/client' {
  interface KnownKinds {
    'com.redhat.ecosystem.sample/v1/RequestState': RequestState
  }
}

/** The jobs of the sample flow, in order. */
export const JOBS = ['JOB1', 'JOB2'] as const

/** The next job that a director requests; undefined while a worker runs one, and when all are done. */
export function nextRequest({ job, state }: Step): Step | undefined {
  const next = JOBS[JOBS.indexOf(job as (typeof JOBS)[number]) + 1]
  return state === 'COMPLETED' && next !== undefined ? { job: next, state: 'REQUESTED' } : undefined
}

export function isFinished({ job, state }: Step): boolean {
  return state === 'COMPLETED' && job === JOBS.at(-1)
}

/** The request after one transition: its state and its history change together. */
export function entered(request: RequestState, step: Step, now: number): RequestState {
  const history = [...(request.status?.history ?? []), { ...step, timestamp: rfc3339(now) }]
  return { ...request, spec: { ...request.spec, ...step }, status: { ...request.status, history } }
}

export function newRequest(uid: string, namespace: string, now: number): RequestState {
  const step: Step = { job: JOBS[0], state: 'REQUESTED' }
  const request = {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name: uid, namespace },
    spec: { 'request-uid': uid, ...step },
  }
  return entered(request, step, now)
}
