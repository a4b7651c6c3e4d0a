// Shares the objects of an operator among its processes: each has a Lease, lists those of the others, and reconciles the
// objects that the ring gives it. Membership decides; this file sends the requests and aborts what this process loses.

import { type Clock, systemClock } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import { Attempts } from '../leader/attempts.ts'
import type { LeaseHolderOptions } from '../leader/lease-holder-options.ts'
import { momentOf } from '../leader/moment.ts'
import { Term } from '../leader/term.ts'
import type { Claim, Leadership, Ownership } from '../runtime/companions.ts'
import { type Lease, leaseOf, MEMBERS_LABEL, memberOf } from './member-lease.ts'
import { Membership } from './membership.ts'

interface HeldClaim {
  readonly uid: string
  readonly abort: AbortController
}

export class Shards implements Leadership, Ownership {
  readonly ownership = this
  readonly #options: LeaseHolderOptions
  readonly #clock: Clock
  readonly #leaseMs: number
  readonly #membership: Membership
  readonly #term: Term
  readonly #attempts: Attempts
  readonly #claims = new Set<HeldClaim>()
  /** Claims that were aborted and whose reconciles have not ended. */
  readonly #ending = new Set<HeldClaim>()
  #onRebalance: () => void = () => {}
  #listed: readonly Lease[] = []
  #own: Lease | undefined
  #watching = false
  #closing: Promise<void> | undefined

  constructor(options: LeaseHolderOptions) {
    const { leaseMs = 10_000, renewMs = 6000, retryMs = 2000, clock = systemClock, random = Math.random } = options
    const { log, name, identity } = options
    this.#options = options
    this.#clock = clock
    this.#leaseMs = leaseMs
    this.#membership = new Membership({ identity, leaseMs, renewMs })
    this.#term = new Term({ clock, leaseMs, renewMs, retryMs, onLost: (why) => this.#lost(why) })
    const attempt = (signal: AbortSignal) => this.#attempt(signal)
    this.#attempts = new Attempts({ clock, random, retryMs, limitMs: renewMs, log, lease: name, attempt })
  }

  get leading(): boolean {
    return this.#term.isActive
  }

  lead(signal?: AbortSignal): Promise<AbortSignal> {
    return this.#term.wait(signal)
  }

  get members(): number {
    return this.#membership.members.length
  }

  owns(uid: string): boolean {
    return this.leading && this.#membership.wins(uid)
  }

  claim(uid: string): Claim | undefined {
    if (!this.owns(uid)) return undefined
    const claim = { uid, abort: new AbortController() }
    this.#claims.add(claim)
    return {
      signal: claim.abort.signal,
      end: () => {
        this.#claims.delete(claim)
        if (this.#ending.delete(claim) && this.#ending.size === 0) this.#attempts.wake()
      },
    }
  }

  onRebalance(callback: () => void): void {
    this.#onRebalance = callback
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    await this.#attempts.close()
    this.#term.close(new Error('leader election was closed'))
    const uid = this.#own?.metadata.uid
    if (uid === undefined) return
    const { namespace = 'default', log } = this.#options
    const name = this.#own?.metadata.name ?? ''
    try {
      const preconditions = { uid }
      await this.#attempts.limited(
        (signal) => this.#leases.delete({ name, namespace }, { preconditions, signal }),
        true,
      )
    } catch (error) {
      if (isStatusError(error, 'NotFound') || isStatusError(error, 'Conflict')) return
      log.warn({ err: error }, 'the lease could not be deleted; others wait until it runs out')
    }
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    this.#term.look()
    await this.#look(signal)
    await this.#renew(signal)
    await this.#bury(signal)
    void this.#watch()
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { name, namespace = 'default', identity } = this.#options
    const began = momentOf(this.#clock)
    // Without a resourceVersion: the newest state of the server, not that of some cache.
    const { items } = await this.#leases.list({ namespace, labelSelector: `${MEMBERS_LABEL}=${name}`, signal })
    this.#listed = items
    this.#own = items.find((lease) => memberOf(lease).identity === identity)
    const changed = this.#membership.saw(items.map(memberOf), began, momentOf(this.#clock))
    for (const claim of this.#claims) if (!this.#membership.wins(claim.uid)) this.#abort(claim, 'another process')
    if (this.#judge() === 'extended' && changed) this.#rebalance()
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { name, namespace = 'default', identity } = this.#options
    if (this.#ending.size === 0) this.#membership.yield()
    const began = momentOf(this.#clock)
    const renewal = this.#membership.renewal(began)
    const group = { name, namespace, identity, leaseMs: this.#leaseMs }
    const lease = leaseOf(group, renewal, this.#own, this.#clock.now())
    this.#own =
      this.#own === undefined
        ? await this.#leases.create(lease, { signal })
        : await this.#leases.update(lease, { signal })
    this.#membership.renewed(renewal, began, momentOf(this.#clock))
    this.#judge()
    // Looks at once whether the others have yielded.
    if (renewal.joins) this.#attempts.wake()
  }

  /** Begins, extends or ends the term. */
  #judge(): ReturnType<Term['hold']> {
    const { since } = this.#membership
    if (since === undefined || !this.#membership.isActive(momentOf(this.#clock))) {
      this.#term.end('it is not a member of the processes that share the work')
      return 'late'
    }
    const held = this.#term.hold(since)
    if (held === 'begun') this.#rebalance()
    return held
  }

  /** Deletes the Leases of members that are gone. One member does it, so that the others need not. */
  async #bury(signal: AbortSignal): Promise<void> {
    const { expired, members } = this.#membership
    const { namespace = 'default', log } = this.#options
    if (members[0] !== this.#options.identity) return
    for (const { identity, text } of expired) {
      const lease = this.#listed.find((one) => memberOf(one).text === text)
      if (lease === undefined) continue
      const { uid = '', resourceVersion = '', name = '' } = lease.metadata
      try {
        await this.#leases.delete({ name, namespace }, { preconditions: { uid, resourceVersion }, signal })
        log.info({ process: identity }, 'a process that shared the work is gone')
      } catch (error) {
        // It is back, or another process was first.
        if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
      }
    }
  }

  #rebalance(): void {
    const { log, identity } = this.#options
    log.info({ processes: this.#membership.members, process: identity }, 'these processes share the work')
    this.#onRebalance()
  }

  #lost(why: string): void {
    for (const claim of this.#claims) this.#abort(claim, why)
    if (this.#closing === undefined) this.#options.log.warn({ why }, 'no longer sharing the work')
  }

  #abort(claim: HeldClaim, by: string): void {
    this.#claims.delete(claim)
    this.#ending.add(claim)
    claim.abort.abort(new Error(`the object no longer belongs to this process: ${by}`))
  }

  /** Wakes this process when another comes, goes or yields. Best effort: the next attempt covers a failed watch. */
  async #watch(): Promise<void> {
    if (this.#watching) return
    this.#watching = true
    const { name, namespace = 'default', identity } = this.#options
    try {
      const labelSelector = `${MEMBERS_LABEL}=${name}`
      const resourceVersion = this.#own?.metadata.resourceVersion ?? ''
      const signal = this.#attempts.ended
      for await (const { type, object } of this.#leases.watch({ namespace, labelSelector, resourceVersion, signal })) {
        const member = memberOf(object)
        if (member.identity === identity || type === 'BOOKMARK') continue
        if (type !== 'MODIFIED' || !this.#term.isActive || !this.#membership.yieldsTo(member)) this.#attempts.wake()
      }
    } catch {
      // The next attempt logs what is wrong.
    } finally {
      this.#watching = false
    }
  }

  get #leases() {
    return this.#options.client.resourceOf<Lease>('coordination.k8s.io/v1', 'Lease')
  }
}
