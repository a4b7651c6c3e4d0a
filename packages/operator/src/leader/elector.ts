// Leader election by a Lease. It keeps trying until it is closed, so a process that lost the Lease can lead again
// without a restart. The runtime asks it before it starts reconciles, and aborts them with the signal of the term.

import { type Clock, systemClock } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { Leadership } from '../runtime/companions.ts'
import { Attempts } from './attempts.ts'
import type { LeaseHolderOptions } from './lease-holder-options.ts'
import { freeSpec, heldSpec, type LeaseSpec, planLease, type Sighting, sight } from './lease-plan.ts'
import { momentOf } from './moment.ts'
import { Term } from './term.ts'

interface Lease extends ApiObject {
  spec?: LeaseSpec
}

export class Elector implements Leadership {
  readonly #options: LeaseHolderOptions
  readonly #clock: Clock
  readonly #leaseMs: number
  readonly #term: Term
  readonly #attempts: Attempts
  #lease: Lease | undefined
  #sighting: Sighting | undefined
  #watching = false
  #closing: Promise<void> | undefined

  constructor(options: LeaseHolderOptions) {
    const { leaseMs = 15_000, renewMs = 10_000, retryMs = 2000, clock = systemClock, random = Math.random } = options
    const { log, name } = options
    this.#options = options
    this.#clock = clock
    this.#leaseMs = leaseMs
    this.#term = new Term({
      ...{ clock, leaseMs, renewMs, retryMs },
      // Sightings from before a pause of this process say nothing about whether the holder renewed since.
      onResume: () => {
        this.#sighting = undefined
      },
      onLost: (why) => {
        if (this.#closing === undefined) log.warn({ lease: name, why }, 'no longer leading')
      },
    })
    const attempt = (signal: AbortSignal) => this.#attempt(signal)
    this.#attempts = new Attempts({ clock, random, retryMs, limitMs: renewMs, log, lease: name, attempt })
  }

  get leading(): boolean {
    return this.#term.isActive
  }

  lead(signal?: AbortSignal): Promise<AbortSignal> {
    return this.#term.wait(signal)
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    const held = this.#term.isActive
    await this.#attempts.close()
    this.#term.close(new Error('leader election was closed'))
    if (held) await this.#release()
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    this.#term.look()
    const began = momentOf(this.#clock)
    if (await this.#acquireOrRenew(signal)) {
      const { log, name, identity } = this.#options
      if (this.#term.hold(began) === 'begun') log.info({ lease: name, identity }, 'leading')
      return
    }
    this.#term.end('another process holds the lease')
    void this.#watch()
  }

  /** Whether this process holds the Lease now. */
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

  async #release(): Promise<void> {
    const lease = this.#lease
    if (!lease) return
    try {
      const spec = freeSpec(lease.spec ?? {}, this.#clock.now())
      await this.#attempts.limited((signal) => this.#leases.update({ ...lease, spec }, { signal }), true)
    } catch (error) {
      if (isStatusError(error, 'Conflict')) return
      this.#options.log.warn({ err: error }, 'the lease could not be released; others wait until it runs out')
    }
  }

  /** Wakes a standby as soon as the lease is released. Best effort: the next attempt covers a failed watch. */
  async #watch(): Promise<void> {
    if (this.#watching) return
    this.#watching = true
    try {
      const { name, namespace = 'default' } = this.#options
      const signal = this.#attempts.ended
      const fieldSelector = `metadata.name=${name}`
      for await (const event of this.#leases.watch({ namespace, fieldSelector, signal })) {
        if (event.type === 'DELETED' || !event.object.spec?.holderIdentity) this.#attempts.wake()
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
