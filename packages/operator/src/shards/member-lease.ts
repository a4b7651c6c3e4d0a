// The Lease of a member as the server stores it, read and written. Its epoch is `leaseTransitions`; an annotation names the
// members to which it yields.

import type { ApiObject } from '@homeostat/client'
import { rfc3339Micro, writeJson } from '@homeostat/meta'
import type { LeaseSpec } from '../leader/lease-plan.ts'
import type { MemberLease, Renewal } from './membership.ts'

export interface Lease extends ApiObject {
  spec?: LeaseSpec
}

/** On the Leases of all members; its value is the name of their group. */
export const MEMBERS_LABEL = 'homeostat.dev/shared-by'
const YIELDS = 'homeostat.dev/yields'

export interface Group {
  readonly name: string
  readonly namespace: string
  readonly identity: string
  readonly leaseMs: number
}

export function memberOf({ metadata, spec = {} }: Lease): MemberLease {
  const { holderIdentity, leaseTransitions, leaseDurationSeconds, renewTime } = spec
  return {
    identity: holderIdentity ?? '',
    epoch: leaseTransitions ?? 0,
    durationMs: (leaseDurationSeconds ?? 0) * 1000,
    text: writeJson([metadata.uid, leaseTransitions, renewTime]),
    yields: new Set((metadata.annotations?.[YIELDS] ?? '').split(',')),
  }
}

export function leaseOf(group: Group, { epoch, joins, yields }: Renewal, old: Lease | undefined, now: number): Lease {
  const { name, namespace, identity, leaseMs } = group
  const time = rfc3339Micro(now)
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      ...(old?.metadata ?? { name: `${name}-${shortName(identity)}`, namespace }),
      labels: { ...old?.metadata.labels, [MEMBERS_LABEL]: name },
      annotations: { ...old?.metadata.annotations, [YIELDS]: yields.join() },
    },
    spec: {
      holderIdentity: identity,
      leaseDurationSeconds: Math.max(1, Math.ceil(leaseMs / 1000)),
      acquireTime: joins ? time : (old?.spec?.acquireTime ?? time),
      renewTime: time,
      leaseTransitions: epoch,
    },
  }
}

/** The unique end of an identity, which a name can hold. */
function shortName(identity: string): string {
  return identity
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(-36)
    .replace(/^-+/, '')
}
