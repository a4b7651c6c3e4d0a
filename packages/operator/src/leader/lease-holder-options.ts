// What the elector and the shards need to hold Leases.

import type { Clock, Log } from '@homeostat/base'
import type { Client } from '@homeostat/client'

export interface LeaseHolderOptions {
  readonly client: Client
  /** Name of the Lease, or of a group of them: all replicas of an operator share it, and no other operator uses it. */
  readonly name: string
  /** Default `default`. */
  readonly namespace?: string
  /** Must differ between processes; see `processIdentity()`. */
  readonly identity: string
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly clock?: Clock
  readonly random?: () => number
  /** How long others wait after the last renewal they saw. Default 15 s for the leader, 10 s for shards. */
  readonly leaseMs?: number
  /** A process that cannot renew for this long stops; less than `leaseMs`. Default 10 s for the leader, 6 s for shards. */
  readonly renewMs?: number
  /** Interval between attempts to acquire or renew. Default 2 s. */
  readonly retryMs?: number
}
