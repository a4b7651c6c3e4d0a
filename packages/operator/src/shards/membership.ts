// Decides which objects this process may reconcile, from the Leases of all members that it lists and its own Lease that it
// renews. Pure: callers pass what they read and when. At no time do two members own an object, because
// - a member acts only on a list and a renewal that both began less than `renewMs` ago;
// - it takes another for gone only after that one's Lease did not change for its whole duration, which is longer;
// - it acts after joining only when all others have yielded to it, or had to read a newer list: after a lease duration;
// - a member whose renewal came too late joins anew, so that what others yielded before counts no more.
// No timestamp of another process is compared with the local clock. Nobody but its process deletes the Lease of a live member.

import { Ring } from '@homeostat/base'
import { longestSince, type Moment } from '../leader/moment.ts'

/** The Lease of a member, as it was read. */
export interface MemberLease {
  readonly identity: string
  /** Rises when the member joins anew. */
  readonly epoch: number
  readonly durationMs: number
  /** Differs after each renewal. */
  readonly text: string
  /** The members to which this one yields, as `identity/epoch`. */
  readonly yields: ReadonlySet<string>
}

/** What this process writes into its Lease. */
export interface Renewal {
  readonly epoch: number
  readonly joins: boolean
  readonly yields: readonly string[]
}

export interface MembershipOptions {
  readonly identity: string
  readonly leaseMs: number
  readonly renewMs: number
}

interface Sighting {
  readonly lease: MemberLease
  /** When the Lease was first seen in this state. */
  readonly since: Moment
}

export class Membership {
  readonly #options: MembershipOptions
  #sightings = new Map<string, Sighting>()
  #live: readonly MemberLease[] = []
  #expired: readonly MemberLease[] = []
  #ring: Ring
  #yields: readonly string[] = []
  #epoch = 0
  /** When the last renewal that was stored began; undefined: not a member. */
  #held: Moment | undefined
  /** When the response to the write that joined arrived. */
  #joined: Moment | undefined
  /** When the last list began. */
  #seen: Moment | undefined
  #isAwaited = false

  constructor(options: MembershipOptions) {
    this.#options = options
    this.#ring = new Ring([options.identity])
  }

  /** All live members, this one included. */
  get members(): readonly string[] {
    return this.#ring.identities
  }

  /** The Leases that did not change for their whole duration. Their processes do not act until they join anew. */
  get expired(): readonly MemberLease[] {
    return this.#expired
  }

  /** When what this process acts on began: its last list or its last renewal, whichever is older. */
  get since(): Moment | undefined {
    if (this.#seen === undefined || this.#held === undefined) return undefined
    return this.#seen.uptime < this.#held.uptime ? this.#seen : this.#held
  }

  /** Whether this process is a member that may act. */
  isActive(now: Moment): boolean {
    return this.#isHeld(now) && this.#isFresh(this.#seen, now) && this.#isAwaited
  }

  /** Whether the object belongs to this member, active or not. */
  wins(uid: string): boolean {
    return this.#ring.ownerOf(uid) === this.#options.identity
  }

  owns(uid: string, now: Moment): boolean {
    return this.isActive(now) && this.wins(uid)
  }

  /** Takes a list of all Leases, read from the server after `began`. Returns whether other members are live than before. */
  saw(leases: readonly MemberLease[], began: Moment, now: Moment): boolean {
    const { identity } = this.#options
    const others = leases.filter((lease) => lease.identity !== identity)
    // Another process took this one for gone and deleted its Lease: it may act already.
    if (others.length === leases.length) this.#leave()
    this.#sightings = new Map(others.map((lease) => [lease.identity, this.#sight(lease, now)]))
    const isExpired = ({ identity: one, durationMs }: MemberLease) =>
      began.uptime - (this.#sightings.get(one)?.since.uptime ?? began.uptime) >= durationMs
    this.#live = others.filter((lease) => !isExpired(lease))
    this.#expired = others.filter(isExpired)
    this.#seen = began
    const before = this.members.join()
    this.#ring = new Ring([identity, ...this.#live.map((lease) => lease.identity)])
    const known = new Set(this.#live.map(nameInEpoch))
    this.#yields = this.#yields.filter((one) => known.has(one))
    this.#judgeJoin(now)
    return this.members.join() !== before
  }

  /** Call it when no reconcile of an object that another live member owns is under way: the next renewal says so. */
  yield(): void {
    this.#yields = this.#live.map(nameInEpoch).sort()
  }

  /** Whether the last renewal told this member that it may act. */
  yieldsTo(lease: MemberLease): boolean {
    return this.#yields.includes(nameInEpoch(lease))
  }

  /** What to write now. */
  renewal(now: Moment): Renewal {
    const joins = !this.#isHeld(now)
    // Each attempt to join has its own epoch: one whose response was lost may have been stored.
    if (joins) this.#epoch++
    return { epoch: this.#epoch, joins, yields: this.#yields }
  }

  /** The server stored the renewal, whose request began then. */
  renewed({ joins }: Renewal, began: Moment, now: Moment): void {
    if (joins) {
      this.#joined = now
      this.#isAwaited = false
    } else if (!this.#isHeld(now)) {
      this.#leave()
      return
    }
    this.#held = began
  }

  #isHeld(now: Moment): boolean {
    return this.#isFresh(this.#held, now)
  }

  #isFresh(since: Moment | undefined, now: Moment): boolean {
    return since !== undefined && longestSince(since, now) < this.#options.renewMs
  }

  #leave(): void {
    this.#held = undefined
    this.#joined = undefined
    this.#isAwaited = false
  }

  /** Lists are read one after the other, so this one began after the last renewal was stored. */
  #judgeJoin(now: Moment): void {
    if (this.#joined === undefined || this.#isAwaited) return
    const own = `${this.#options.identity}/${this.#epoch}`
    const waitMs = Math.max(this.#options.leaseMs, ...this.#live.map(({ durationMs }) => durationMs))
    this.#isAwaited = this.#live.every(({ yields }) => yields.has(own)) || now.uptime - this.#joined.uptime >= waitMs
  }

  #sight(lease: MemberLease, now: Moment): Sighting {
    const known = this.#sightings.get(lease.identity)
    return known?.lease.text === lease.text ? { lease, since: known.since } : { lease, since: now }
  }
}

function nameInEpoch({ identity, epoch }: MemberLease): string {
  return `${identity}/${epoch}`
}
