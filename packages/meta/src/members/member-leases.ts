// The servers of one store, as their Leases in kube-system tell of them: where each is, whether it lives, and which duties it has. Pure.
// The server writes these Leases; the command line and the dashboard read them.

/** Of a member's Lease, with its id. */
export const MEMBER_LABEL = 'homeostat.io/member'
/** Of a duty's Lease, with its name. */
export const DUTY_LABEL = 'homeostat.io/duty'
/** Annotations of a member's Lease: where the others reach it, and what it can do at present. */
export const ADDRESS_ANNOTATION = 'homeostat.io/address'
export const DUTIES_ANNOTATION = 'homeostat.io/duties'
export const MEMBER_PREFIX = 'homeostat-member-'
export const DUTY_PREFIX = 'homeostat-duty-'

/** What the clocks of two machines may differ by. */
const CLOCKS_MS = 5000

export interface MemberLease {
  readonly metadata: {
    readonly name?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: {
    readonly holderIdentity?: string
    readonly renewTime?: string
    readonly leaseDurationSeconds?: number
  }
}

/** `Draining` is about to end and offers no duties any more; the heartbeat of a `Lost` one has stopped. */
export type MemberPhase = 'Online' | 'Draining' | 'Lost'

export interface MemberState {
  readonly id: string
  readonly address: string
  readonly phase: MemberPhase
  /** When it was last heard of; empty for never. */
  readonly lastSeen: string
  /** The names of what it leads, in order. */
  readonly duties: readonly string[]
}

export function isMemberLease({ metadata }: MemberLease): boolean {
  return metadata.labels?.[MEMBER_LABEL] !== undefined
}

/** The state of a member by its own Lease, and by all Leases beside it. */
export function memberState(lease: MemberLease, all: readonly MemberLease[], now: number): MemberState {
  const { metadata, spec = {} } = lease
  const id = spec.holderIdentity ?? ''
  const held = all.filter(
    ({ metadata, spec }) => metadata.labels?.[DUTY_LABEL] !== undefined && spec?.holderIdentity === id,
  )
  return {
    id,
    address: metadata.annotations?.[ADDRESS_ANNOTATION] ?? '',
    phase: phaseOf(lease, now),
    lastSeen: spec.renewTime ?? '',
    duties: held.map(({ metadata }) => (metadata.name ?? '').slice(DUTY_PREFIX.length)).sort(),
  }
}

function phaseOf({ metadata, spec = {} }: MemberLease, now: number): MemberPhase {
  const seen = Date.parse(spec.renewTime ?? '')
  if (!(now - seen <= (spec.leaseDurationSeconds ?? 0) * 1000 + CLOCKS_MS)) return 'Lost'
  return metadata.annotations?.[DUTIES_ANNOTATION] === '' ? 'Draining' : 'Online'
}
