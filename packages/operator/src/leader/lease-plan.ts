// Decides whether this process may hold a Lease, from what it read and when it read it. Pure. It never compares another
// process's timestamps with the local clock (clock skew): a lease is expired when it did not change for its whole
// duration as observed here.

import { rfc3339Micro, writeJson } from '@homeostat/meta'

export interface LeaseSpec {
  holderIdentity?: string | null
  leaseDurationSeconds?: number | null
  acquireTime?: string | null
  renewTime?: string | null
  leaseTransitions?: number | null
}

/** The content of the Lease and the local time since which it has not changed. */
export interface Sighting {
  readonly text: string
  readonly since: number
}

export type LeasePlan =
  | { readonly kind: 'create' | 'take' | 'renew' }
  /** Another process holds it; `left` is the time until it expires without a renewal. */
  | { readonly kind: 'wait'; readonly holder: string; readonly left: number }

export interface Candidate {
  readonly identity: string
  readonly leaseMs: number
}

/** Call it with every Lease that is read. */
export function sight(previous: Sighting | undefined, spec: LeaseSpec | undefined, now: number): Sighting {
  const text = writeJson([
    spec?.holderIdentity,
    spec?.renewTime,
    spec?.acquireTime,
    spec?.leaseTransitions,
    spec?.leaseDurationSeconds,
  ])
  return previous?.text === text ? previous : { text, since: now }
}

export function planLease(
  spec: LeaseSpec | undefined,
  sighting: Sighting,
  { identity, leaseMs }: Candidate,
  now: number,
): LeasePlan {
  if (spec === undefined) return { kind: 'create' }
  const holder = spec.holderIdentity ?? ''
  if (holder === identity) return { kind: 'renew' }
  if (holder === '') return { kind: 'take' }
  const seconds = spec.leaseDurationSeconds ?? 0
  const length = seconds > 0 ? seconds * 1000 : leaseMs
  const left = sighting.since + length - now
  return left > 0 ? { kind: 'wait', holder, left } : { kind: 'take' }
}

/** The spec of a Lease that this process holds. */
export function heldSpec(old: LeaseSpec | undefined, { identity, leaseMs }: Candidate, now: number): LeaseSpec {
  const ours = old?.holderIdentity === identity
  const time = rfc3339Micro(now)
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.max(1, Math.ceil(leaseMs / 1000)),
    acquireTime: ours ? (old.acquireTime ?? time) : time,
    renewTime: time,
    leaseTransitions: (old?.leaseTransitions ?? 0) + (old === undefined || ours ? 0 : 1),
  }
}

/** The spec of a released Lease: no holder, so a standby takes it at once. */
export function freeSpec(old: LeaseSpec, now: number): LeaseSpec {
  return {
    leaseDurationSeconds: 1,
    renewTime: rfc3339Micro(now),
    leaseTransitions: old.leaseTransitions ?? 0,
  }
}
