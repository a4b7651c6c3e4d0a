// The Leases of members and of duties, as objects: made and read. Both are in kube-system, which nobody can delete.

import { type KubeObject, rfc3339Micro } from '@homeostat/meta'
import {
  ADDRESS_ANNOTATION as ADDRESS,
  DUTIES_ANNOTATION as DUTIES,
  DUTY_LABEL,
  DUTY_PREFIX,
  MEMBER_LABEL,
  MEMBER_PREFIX,
} from '@homeostat/meta/members'
import { fieldsOf, textOf } from '../builtin/fields-of.ts'
import type { FormerLeader } from '../identity/held.ts'
import type { ResourceName } from '../registry/api.ts'
import type { Member } from './duties.ts'
import type { MemberRecord } from './members.ts'

export const LEASES: ResourceName = { group: 'coordination.k8s.io', resource: 'leases' }
const NAMESPACE = 'kube-system'
const TERMS = 'homeostat.io/terms'
/** How many terms a duty's Lease tells of. */
const KEPT_TERMS = 20

export const memberPlace = (id: string) => ({ namespace: NAMESPACE, name: `${MEMBER_PREFIX}${id}` })
export const dutyPlace = (duty: string) => ({ namespace: NAMESPACE, name: `${DUTY_PREFIX}${duty}` })

/** The id of a member or the name of a duty, by the key of its Lease in the cache. */
export const memberIn = (key: string) => after(`${NAMESPACE}/${MEMBER_PREFIX}`, key)
export const dutyIn = (key: string) => after(`${NAMESPACE}/${DUTY_PREFIX}`, key)

function after(prefix: string, key: string): string | undefined {
  return key.startsWith(prefix) ? key.slice(prefix.length) : undefined
}

export interface Renewal extends Member {
  /** What the member can do at present. */
  readonly duties: readonly string[]
  /** How long others wait for the next renewal. */
  readonly seconds: number
  readonly now: number
}

export function memberLease(renewal: Renewal): KubeObject {
  const { id, now } = renewal
  const lease: KubeObject = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { ...memberPlace(id), labels: { [MEMBER_LABEL]: id } },
    spec: { holderIdentity: id, acquireTime: rfc3339Micro(now) },
  }
  renew(lease, renewal)
  return lease
}

/** In place. */
export function renew({ metadata, spec }: KubeObject, { address, duties, seconds, now }: Renewal): void {
  metadata.annotations = { ...metadata.annotations, [ADDRESS]: address, [DUTIES]: duties.join() }
  Object.assign(spec as object, { leaseDurationSeconds: seconds, renewTime: rfc3339Micro(now) })
}

export function memberRecord(
  id: string,
  { metadata: { annotations = {} } }: KubeObject,
  revision: number,
): MemberRecord {
  const { [ADDRESS]: address = '', [DUTIES]: duties = '' } = annotations
  return { id, address, duties: new Set(duties.split(',')), revision }
}

/** The Lease of a duty with another holder; empty for nobody. Its next revision is the fence of that term. */
export function dutyLease(duty: string, before: KubeObject | undefined, holder: string, now: number): KubeObject {
  const { leaseTransitions } = fieldsOf(before?.spec)
  const time = rfc3339Micro(now)
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: before?.metadata ?? { ...dutyPlace(duty), labels: { [DUTY_LABEL]: duty } },
    spec: {
      ...(holder !== '' && { holderIdentity: holder, acquireTime: time }),
      renewTime: time,
      leaseTransitions: typeof leaseTransitions === 'number' ? leaseTransitions + 1 : 0,
    },
  }
}

/** The same with the term that its holder begins at the address: what leaders leave on their disks is found by that. */
export function withTerm(lease: KubeObject, address: string, now: number): KubeObject {
  const { metadata } = lease
  const terms = [...termsIn(lease), { address, since: now }].slice(-KEPT_TERMS)
  const text = terms.map(({ address, since }) => `${rfc3339Micro(since)} ${address}`).join()
  return { ...lease, metadata: { ...metadata, annotations: { ...metadata.annotations, [TERMS]: text } } }
}

/** The terms before the last one that were not of this address. */
export function formerLeaders(lease: KubeObject, address: string): FormerLeader[] {
  return termsIn(lease).flatMap((term, index, terms) => {
    const next = terms[index + 1]
    return next === undefined || term.address === address ? [] : [{ ...term, until: next.since }]
  })
}

function termsIn({ metadata: { annotations = {} } }: KubeObject): { address: string; since: number }[] {
  return (annotations[TERMS] ?? '').split(',').flatMap((term) => {
    const [since = '', address = ''] = term.split(' ')
    return Number.isNaN(Date.parse(since)) ? [] : [{ address, since: Date.parse(since) }]
  })
}

export function holderOf(lease: KubeObject): string {
  return textOf(fieldsOf(lease.spec).holderIdentity)
}
