// Leader election by a Lease. It keeps trying until it is closed, so a process that lost the Lease can lead again
// without a restart. The runtime asks it before it starts reconciles, and aborts them with the signal of the term.

import { type Clock, type Log, PauseWatch, systemClock } from '@homeostat/base'
import type { ApiObject, Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { Leadership } from '../runtime/companions.ts'
import { freeSpec, heldSpec, type LeaseSpec, planLease, type Sighting, sight } from './lease-plan.ts'

export interface ElectorOptions {
  readonly client: Client
  /** Name of the Lease: all replicas of an operator share it, and no other operator uses it. */
  readonly name: string
  /** Default `default`. */
  readonly namespace?: string
  /** Must differ between processes; see `processIdentity()`. */
  readonly identity: string
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly clock?: Clock
  readonly random?: () => number
  /** How long standbys wait after the last renewal they saw. Default 15 s. */
  readonly leaseMs?: number
  /** A leader that cannot renew for this long gives up leadership; less than `leaseMs`. Default 10 s. */
  readonly renewMs?: number
  /** Interval between attempts to acquire or renew. Default 2 s. */
  readonly retryMs?: number
}

interface Lease extends ApiObject {
  spec?: LeaseSpec
}

interface Moment {
  readonly wall: number
  readonly uptime: number
}

const LATE = 'the lease could not be renewed in time'

export class Elector implements Leadership {
  readonly #options: ElectorOptions
  readonly #clock: Clock
  readonly #leaseMs: number
  readonly #renewMs: number
  readonly #retryMs: number
  readonly #ended = new AbortController()
  readonly #running: Promise<void>
  readonly #hopeful = new Set<() => void>()
  readonly #pauses: PauseWatch
  #term: AbortController | undefined
  #heldSince: Moment = { wall: 0, uptime: 0 }
  #cancelDeadline: (() => void) | undefined
  #lease: Lease | undefined
  #sighting: Sighting | undefined
  #wake: (() => void) | undefined
  #watching = false
  /** The last attempt failed and the failure was logged. */
  #troubled = false
  #closing: Promise<void> | undefined

  constructor(options: ElectorOptions) {
    const { leaseMs = 15_000, renewMs = 10_000, retryMs = 2000 } = options
    if (!(retryMs > 0 && retryMs < renewMs && renewMs < leaseMs)) {
      throw new Error(
        `leader election needs retryMs < renewMs < leaseMs, for example 2000, 10000 and 15000; it has ${retryMs}, ${renewMs} and ${leaseMs}`,
      )
    }
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#leaseMs = leaseMs
    this.#renewMs = renewMs
    this.#retryMs = retryMs
    this.#pauses = new PauseWatch({
      clock: this.#clock,
      everyMs: retryMs / 2,
      // A leader paused for this long still gives up before the lease expires for the standbys.
      longestMs: Math.max((leaseMs - renewMs) / 2, retryMs / 2),
      onPause: () => this.#resumed(),
    })
    this.#running = this.#loop()
  }

  /** Reads the clock instead of trusting a timer: while this process was paused, another may have become the leader. */
  get leading(): boolean {
    this.#loseIfLate()
    return this.#term !== undefined
  }

  async lead(signal?: AbortSignal): Promise<AbortSignal> {
    for (;;) {
      signal?.throwIfAborted()
      this.#ended.signal.throwIfAborted()
      if (this.leading && this.#term) return this.#term.signal
      await this.#untilChange(signal)
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    const held = this.#term !== undefined
    this.#ended.abort(new Error('leader election was closed'))
    this.#pauses.close()
    await this.#running
    this.#lose('the operator ends')
    this.#notify()
    if (held) await this.#release()
  }

  async #loop(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      this.#pauses.look()
      const began = this.#moment()
      const held = await this.#try()
      if (held) this.#hold(began)
      else if (held === false) this.#lose('another process holds the lease')
      if (this.#ended.signal.aborted) return
      if (!this.#term) void this.#watch()
      await this.#pause()
    }
  }

  /** Whether this process holds the Lease now; undefined when the request failed. */
  async #try(): Promise<boolean | undefined> {
    const patience = this.#patience()
    try {
      const held = await this.#acquireOrRenew(patience.signal)
      this.#troubled = false
      return held
    } catch (error) {
      // Lost the race: another process wrote after this one read. The next attempt reads the Lease again.
      if (isStatusError(error, 'Conflict') || isStatusError(error, 'AlreadyExists')) return undefined
      if (!this.#ended.signal.aborted) {
        const { log, name } = this.#options
        if (!this.#troubled)
          log.warn({ err: error, lease: name }, 'the lease could not be renewed or taken; it is tried again')
        this.#troubled = true
      }
      return undefined
    } finally {
      patience.cancel()
    }
  }

  async #acquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const { name, namespace = 'default', identity } = this.#options
    const found = await this.#leases.find({ name, namespace }, { signal })
    const now = this.#clock.now()
    this.#sighting = sight(this.#sighting, found?.spec, now)
    const candidate = { identity, leaseMs: this.#leaseMs }
    const plan = planLease(found && (found.spec ?? {}), this.#sighting, candidate, now)
    if (plan.kind === 'wait') return false
    const spec = heldSpec(found?.spec, candidate, now)
    if (found === undefined) {
      const metadata = { name, namespace }
      this.#lease = await this.#leases.create(
        { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec },
        { signal },
      )
    } else {
      this.#lease = await this.#leases.update({ ...found, spec }, { signal })
    }
    this.#sighting = sight(this.#sighting, this.#lease.spec, now)
    return true
  }

  /** `since` is when the attempt began: the server may have stored the renewal at any time after that. */
  #hold(since: Moment): void {
    this.#cancelDeadline?.()
    this.#heldSince = since
    const left = this.#renewMs - this.#held()
    // The process was paused before it read the response, so the renewal may already be too old.
    if (left <= 0) {
      this.#lose(LATE)
      return
    }
    this.#cancelDeadline = this.#clock.setTimer(left, () => this.#loseIfLate())
    if (this.#term) return
    this.#term = new AbortController()
    this.#options.log.info({ lease: this.#options.name, identity: this.#options.identity }, 'leading')
    this.#notify()
  }

  /**
   * After a pause of this process, earlier sightings say nothing about whether the holder renewed or whether our own
   * term is still valid.
   */
  #resumed(): void {
    this.#sighting = undefined
    this.#loseIfLate()
  }

  #loseIfLate(): void {
    if (this.#term && this.#held() >= this.#renewMs) this.#lose(LATE)
  }

  /**
   * Time since the last renewal began. Takes the larger of wall clock and uptime: a system suspend stops one of them.
   */
  #held(): number {
    const { wall, uptime } = this.#moment()
    return Math.max(wall - this.#heldSince.wall, uptime - this.#heldSince.uptime)
  }

  #moment(): Moment {
    const wall = this.#clock.now()
    return { wall, uptime: this.#clock.uptime?.() ?? wall }
  }

  #lose(why: string): void {
    this.#cancelDeadline?.()
    const term = this.#term
    if (!term) return
    this.#term = undefined
    term.abort(new Error(`no longer the leader: ${why}`))
    if (!this.#ended.signal.aborted) this.#options.log.warn({ lease: this.#options.name, why }, 'no longer leading')
  }

  async #release(): Promise<void> {
    if (!this.#lease) return
    const patience = this.#patience(true)
    try {
      const spec = freeSpec(this.#lease.spec ?? {}, this.#clock.now())
      await this.#leases.update({ ...this.#lease, spec }, { signal: patience.signal })
    } catch (error) {
      if (isStatusError(error, 'Conflict')) return
      this.#options.log.warn({ err: error }, 'the lease could not be released; others wait until it runs out')
    } finally {
      patience.cancel()
    }
  }

  /** Wakes a standby as soon as the lease is released. Best effort: the next attempt covers a failed watch. */
  async #watch(): Promise<void> {
    if (this.#watching) return
    this.#watching = true
    try {
      const { name, namespace = 'default' } = this.#options
      const signal = this.#ended.signal
      const fieldSelector = `metadata.name=${name}`
      for await (const event of this.#leases.watch({ namespace, fieldSelector, signal })) {
        if (event.type === 'DELETED' || !event.object.spec?.holderIdentity) this.#wake?.()
      }
    } catch {
      // The next attempt logs what is wrong.
    } finally {
      this.#watching = false
    }
  }

  #pause(): Promise<void> {
    const jitter = 1 + 0.2 * (this.#options.random ?? Math.random)()
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        this.#ended.signal.removeEventListener('abort', end)
        this.#wake = undefined
        resolve()
      }
      const cancel = this.#clock.setTimer(this.#term ? this.#retryMs : this.#retryMs * jitter, end)
      this.#ended.signal.addEventListener('abort', end)
      this.#wake = end
    })
  }

  /** Aborts a request that takes longer than a leader may go without a renewal. */
  #patience(evenAtTheEnd = false): { signal: AbortSignal; cancel(): void } {
    const limit = new AbortController()
    const cancel = this.#clock.setTimer(this.#renewMs, () => limit.abort(new Error('the API server does not answer')))
    return { signal: evenAtTheEnd ? limit.signal : AbortSignal.any([limit.signal, this.#ended.signal]), cancel }
  }

  #untilChange(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#hopeful.delete(end)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      signal?.addEventListener('abort', end)
      this.#hopeful.add(end)
    })
  }

  #notify(): void {
    for (const end of [...this.#hopeful]) end()
  }

  get #leases() {
    return this.#options.client.resourceOf<Lease>('coordination.k8s.io/v1', 'Lease')
  }
}
