// The state of the cluster as operators need it: whether writes work, and what will stop them. What calls and the connection found
// comes from the client; space and fragmentation are asked for now and then. The store owns one.

import type { StoreHealth } from '../contract.ts'
import type { Alarm, MemberStatus } from './client/contract.ts'
import type { Compactor } from './compactor.ts'
import type { Complaint } from './complaint.ts'
import type { LiveWatch } from './live-watch.ts'
import type { Session } from './session.ts'
import { spaceWarning } from './space.ts'

const CHECK_EVERY_MS = 10_000

export class EtcdHealthCheck {
  readonly #session: Session
  readonly #live: LiveWatch
  readonly #compactor: Compactor
  #timer: NodeJS.Timeout | undefined
  #alarms: readonly Alarm[] = []
  #status: MemberStatus | undefined
  #warned: string | undefined

  constructor(session: Session, live: LiveWatch, compactor: Compactor) {
    this.#session = session
    this.#live = live
    this.#compactor = compactor
  }

  start(): void {
    this.#timer = setInterval(() => void this.#check(), CHECK_EVERY_MS).unref()
    void this.#check()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  health(): StoreHealth {
    const [failure] = this.failures()
    const [warning] = this.warnings()
    const more = warning === undefined ? {} : { warning: warning.message }
    return failure === undefined ? { writable: true, ...more } : { writable: false, reason: failure.message, ...more }
  }

  /** How the member was that was asked last. */
  get status(): MemberStatus | undefined {
    return this.#status
  }

  /** What keeps from writing. */
  failures(): Complaint[] {
    const { ended, client } = this.#session
    if (ended !== undefined) return [{ state: 'ended', message: ended.message }]
    const found: Complaint[] = client.health().problems.map(({ kind, message }) => ({ state: kind, message }))
    for (const { memberId, type } of this.#alarms) {
      const state = type === 'NOSPACE' ? 'no-space' : type === 'CORRUPT' ? 'corrupt' : undefined
      if (state === undefined || found.some((one) => one.state === state)) continue
      found.push({ state, message: `etcd member ${memberId} ${ALARMED[state]}` })
    }
    const { trouble } = this.#live
    if (trouble !== undefined)
      found.push({ state: 'watch-broken', message: `etcd's changes cannot be watched: ${trouble.message}` })
    return found
  }

  /** What will keep from writing unless somebody acts. */
  warnings(): Complaint[] {
    const space = this.#status && spaceWarning(this.#status)
    const { trouble } = this.#compactor
    return [
      ...(space === undefined ? [] : [space]),
      ...(trouble === undefined
        ? []
        : [{ state: 'not-compacted' as const, message: `etcd could not be compacted: ${trouble.message}` }]),
    ]
  }

  async #check(): Promise<void> {
    const { client, settings } = this.#session
    try {
      const [status, alarms] = await Promise.all([client.status(), client.alarms()])
      this.#alarms = alarms
      this.#status = status
    } catch {
      // What a call could not do, the client's own health tells.
    }
    const warning = this.warnings()[0]
    if (warning !== undefined && warning.state !== this.#warned) settings.onWarning(warning.message)
    this.#warned = warning?.state
  }
}

const ALARMED = {
  'no-space': 'has no space left: compact, defragment or raise its quota, then disarm the alarm',
  corrupt: 'reports corrupt data: replace the member',
} as const
