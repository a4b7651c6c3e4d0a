// Which members are alive, by their heartbeats as this server sees them arrive. Pure: callers pass what they saw and when, by
// their own monotonic clock. No timestamp of another server is compared with it.

import type { Member } from './duties.ts'

export interface MemberRecord extends Member {
  /** What it can do at present. */
  readonly duties: ReadonlySet<string>
  /** Of its heartbeat: differs after each. */
  readonly revision: number
}

interface Sighting {
  readonly record: MemberRecord
  /** When the heartbeat was first seen in this state. */
  readonly since: number
}

export class Members {
  readonly #sightings = new Map<string, Sighting>()
  readonly #deadMs: number

  constructor(deadMs: number) {
    this.#deadMs = deadMs
  }

  saw(record: MemberRecord, now: number): void {
    const known = this.#sightings.get(record.id)
    if (known?.record.revision !== record.revision) this.#sightings.set(record.id, { record, since: now })
  }

  gone(id: string): void {
    this.#sightings.delete(id)
  }

  get(id: string): MemberRecord | undefined {
    return this.#sightings.get(id)?.record
  }

  /**
   * Those whose heartbeat has not stood still for too long. `began` is when a renewal of this server began that was stored and seen:
   * heartbeats that were stored before have been seen, too, however far the stream of changes was behind.
   */
  live(began: number): readonly MemberRecord[] {
    return [...this.#sightings.values()].filter(({ since }) => !this.#isDead(since, began)).map(({ record }) => record)
  }

  /** Those that have been dead for at least this long. */
  dead(began: number, forMs: number): readonly MemberRecord[] {
    const dead = [...this.#sightings.values()].filter(({ since }) => this.#isDead(since, began - forMs))
    return dead.map(({ record }) => record)
  }

  /** When the next of those that live now is dead unless it is heard of. */
  nextDeath(began: number): number | undefined {
    let next: number | undefined
    for (const { since } of this.#sightings.values()) {
      const at = since + this.#deadMs
      if (at > began && (next === undefined || at < next)) next = at
    }
    return next
  }

  #isDead(since: number, began: number): boolean {
    return began - since >= this.#deadMs
  }
}
