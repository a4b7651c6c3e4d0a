// Whether the database of a member is about to be full, or mostly free pages. Pure; the health check and the compactor call it.

import type { MemberStatus } from './client/contract.ts'
import type { Complaint } from './complaint.ts'

/** The quota of a member that does not say it. */
const DEFAULT_QUOTA = 2 << 30
const NEARLY_FULL = 0.8
/** A file with more free pages than this, and most of it free, is worth a defragmentation. */
const FRAGMENTED_BYTES = 256 << 20

export function quotaOf({ dbSizeQuota }: MemberStatus): number {
  return dbSizeQuota > 0 ? dbSizeQuota : DEFAULT_QUOTA
}

/** Pure. */
export function spaceWarning(status: MemberStatus): Complaint | undefined {
  const { endpoint, dbSize, dbSizeInUse } = status
  const quota = quotaOf(status)
  const free = dbSize - dbSizeInUse
  if (dbSize > NEARLY_FULL * quota) {
    const what = free > dbSize / 2 ? 'defragment its members' : 'raise --quota-backend-bytes, or keep less history'
    const message = `etcd at ${endpoint} uses ${inMiB(dbSize)} of its ${inMiB(quota)}, ${inMiB(free)} of it free pages: ${what}`
    return { state: 'nearly-full', message }
  }
  if (free <= FRAGMENTED_BYTES || free <= dbSize / 2) return undefined
  const message = `etcd at ${endpoint} is fragmented: ${inMiB(free)} of ${inMiB(dbSize)} are free pages; defragment its members`
  return { state: 'fragmented', message }
}

function inMiB(bytes: number): string {
  return `${Math.round(bytes / (1 << 20))} MiB`
}
