// The state of the cluster as operators need it: whether writes work, and what will stop them. What calls and the connection found
// comes from the client; space and fragmentation are asked for now and then. The store owns one.

import type { StoreHealth } from '../contract.ts'
import type { Alarm, MemberStatus } from './client/contract.ts'
import type { LiveWatch } from './live-watch.ts'
import type { Session } from './session.ts'

const CHECK_EVERY_MS = 10_000
/** The quota of a member that does not say it. */
const DEFAULT_QUOTA = 2 << 30
const NEARLY_FULL = 0.8
/** A file with more free pages than this, and most of it free, is worth a defragmentation. */
const FRAGMENTED_BYTES = 256 << 20

export class EtcdHealthCheck {
  readonly #session: Session
  readonly #live: LiveWatch
  #timer: NodeJS.Timeout | undefined
  #alarms: readonly Alarm[] = []
  #warning: string | undefined
  #warned: string | undefined

  constructor(session: Session, live: LiveWatch) {
    this.#session = session
    this.#live = live
  }

  start(): void {
    this.#timer = setInterval(() => void this.#check(), CHECK_EVERY_MS).unref()
    void this.#check()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  health(): StoreHealth {
    const reason = this.#reason()
    const warning = this.#warning === undefined ? {} : { warning: this.#warning }
    return reason === undefined ? { writable: true, ...warning } : { writable: false, reason, ...warning }
  }

  #reason(): string | undefined {
    const { ended, client } = this.#session
    if (ended !== undefined) return ended.message
    const [problem] = client.health().problems
    if (problem !== undefined) return problem.message
    const alarm = this.#alarms.find(({ type }) => type !== 'other')
    if (alarm?.type === 'NOSPACE')
      return `etcd member ${alarm.memberId} has no space left: compact, defragment or raise its quota, then disarm the alarm`
    if (alarm?.type === 'CORRUPT') return `etcd member ${alarm.memberId} reports corrupt data: replace the member`
    if (this.#live.trouble !== undefined) return `etcd's changes cannot be watched: ${this.#live.trouble.message}`
    return undefined
  }

  async #check(): Promise<void> {
    const { client } = this.#session
    try {
      const [status, alarms] = await Promise.all([client.status(), client.alarms()])
      this.#alarms = alarms
      this.#warning = warningOf(status)
      if (this.#warning !== undefined && this.#warning !== this.#warned) this.#session.settings.onWarning(this.#warning)
      this.#warned = this.#warning
    } catch {
      // What a call could not do, the client's own health tells.
    }
  }
}

export function quotaOf({ dbSizeQuota }: MemberStatus): number {
  return dbSizeQuota > 0 ? dbSizeQuota : DEFAULT_QUOTA
}

/** Pure. */
export function warningOf(status: MemberStatus): string | undefined {
  const { endpoint, dbSize, dbSizeInUse } = status
  const quota = quotaOf(status)
  const free = dbSize - dbSizeInUse
  if (dbSize > NEARLY_FULL * quota) {
    const what = free > dbSize / 2 ? 'defragment its members' : 'raise --quota-backend-bytes, or keep less history'
    return `etcd at ${endpoint} uses ${inMiB(dbSize)} of its ${inMiB(quota)}, ${inMiB(free)} of it free pages: ${what}`
  }
  if (free > FRAGMENTED_BYTES && free > dbSize / 2)
    return `etcd at ${endpoint} is fragmented: ${inMiB(free)} of ${inMiB(dbSize)} are free pages; defragment its members`
  return undefined
}

function inMiB(bytes: number): string {
  return `${Math.round(bytes / (1 << 20))} MiB`
}
