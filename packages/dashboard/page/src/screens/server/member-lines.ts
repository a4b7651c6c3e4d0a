// The servers of one store, from the table of their Leases. Pure.

import { isMemberLease, type MemberLease, type MemberState, memberState } from '@homeostat/meta/members'
import type { Row } from '../../live/table-replica.ts'

export const MEMBER_PATHS = ['.spec.holderIdentity', '.spec.renewTime', '.spec.leaseDurationSeconds']

export function memberLines(rows: readonly Row[], now: number): MemberState[] {
  const leases = rows.map(leaseOf)
  return leases.filter(isMemberLease).map((lease) => memberState(lease, leases, now))
}

/** Of the paths above. */
function leaseOf({ metadata, fields = [] }: Row): MemberLease {
  const [holder, renewed, seconds] = fields
  return {
    metadata,
    spec: {
      holderIdentity: String(holder ?? ''),
      renewTime: String(renewed ?? ''),
      leaseDurationSeconds: Number(seconds ?? 0),
    },
  }
}
