// When an executor stopped having a right to an attempt, as far as the clients can tell: the earliest moment at which the
// server may have given it to somebody else. The checker asks; too early a moment would hide a double run.

import { HEARTBEAT_SECONDS, LOST_SECONDS } from '@homeostat/executor/protocol'
import { attemptId, type Heartbeat, type History, type Sent, type Taken } from './history.ts'

const LEASE_MS = LOST_SECONDS * 1000
/** How long a running Process may go on after its cancel. */
const CANCEL_MS = 3 * HEARTBEAT_SECONDS * 1000

export interface Run extends Taken {
  readonly startedAt: number
  readonly execDeadline: number | undefined
}

export class Releases {
  readonly #closes
  readonly #heartbeats
  readonly #contacts
  readonly #removals
  readonly #cancels

  constructor({ closes, heartbeats, contacts, removals, cancels }: History) {
    this.#closes = Map.groupBy(closes, ({ process, attempt, executor }) => `${attemptId(process, attempt)} ${executor}`)
    this.#heartbeats = Map.groupBy(heartbeats.toSorted(bySent), ({ executor }) => executor)
    this.#contacts = Map.groupBy(
      contacts.filter(({ outcome }) => outcome !== 'unknown').toSorted(bySent),
      ({ executor }) => executor,
    )
    this.#removals = Map.groupBy(removals, ({ executor }) => executor)
    this.#cancels = Map.groupBy(cancels, ({ process }) => process)
  }

  /** Infinity when nothing that happened gave the server the right. */
  of(run: Run): number {
    const { process, attempt, executor, startedAt, execDeadline } = run
    const closes = this.#closes.get(`${attemptId(process, attempt)} ${executor}`) ?? []
    // One that was under way when the attempt began may have been carried out later.
    const removals = (this.#removals.get(executor) ?? []).filter(({ answeredAt = Infinity }) => answeredAt >= startedAt)
    const cancels = this.#cancels.get(process) ?? []
    return Math.min(
      execDeadline ?? Infinity,
      ...closes.map(({ sentAt }) => sentAt),
      ...removals.map(({ sentAt }) => sentAt),
      ...cancels.map(({ sentAt }) => sentAt + CANCEL_MS),
      this.#unmentioned(run),
      this.#silent(run),
    )
  }

  /** Two heartbeats in a row did not speak of it. */
  #unmentioned({ process, attempt, executor, startedAt }: Run): number {
    const id = attemptId(process, attempt)
    let before: Heartbeat | undefined
    for (const heartbeat of this.#heartbeats.get(executor) ?? []) {
      if ((heartbeat.answeredAt ?? Infinity) < startedAt) continue
      const omits = !heartbeat.holding.includes(id)
      if (omits && before) return heartbeat.sentAt
      before = omits ? heartbeat : undefined
    }
    return Infinity
  }

  /** No sign of life for the length of a lease. */
  #silent({ executor, startedAt }: Run): number {
    let last = startedAt
    for (const { sentAt, answeredAt = Infinity } of this.#contacts.get(executor) ?? []) {
      if (answeredAt < startedAt) continue
      if (answeredAt > last + LEASE_MS) break
      last = Math.max(last, sentAt)
    }
    return last + LEASE_MS
  }
}

function bySent(a: Sent, b: Sent): number {
  return a.sentAt - b.sentAt
}
