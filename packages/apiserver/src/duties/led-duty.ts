// One duty as this server leads it: takes its Lease, runs the work on the revision of that write as its fence, and hands it over
// once the work has ended. One write of the Lease is one call of the work. shared-duties.ts decides when.

import type { Clock, Log } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { FormerLeader, Held } from '../identity/held.ts'
import type { Api } from '../registry/api.ts'
import { dutyLease, dutyPlace, formerLeaders, holderOf, LEASES, withTerm } from './leases.ts'

export interface LedDutyParts {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  readonly self: string
  readonly duty: string
  /** Where others reach this server, or its id. */
  address(): string
  work(held: Held): Promise<void>
  /** Something about it has changed: decide again. */
  changed(): void
}

interface Term {
  readonly fence: { readonly key: string; readonly revision: number }
  readonly abort: AbortController
  /** Resolves when the work has ended. */
  ended: Promise<void>
}

/** The longest that a hand-over waits for work to end. What is written later fails at the fence. */
const SETTLE_MS = 5000

export class LedDuty {
  readonly #parts: LedDutyParts
  #term: Term | undefined
  #isBusy = false

  constructor(parts: LedDutyParts) {
    this.#parts = parts
  }

  get leads(): boolean {
    return this.#term?.abort.signal.aborted === false
  }

  /** Whether it neither leads nor writes its Lease nor waits for work to end. */
  get isIdle(): boolean {
    return this.#term === undefined && !this.#isBusy
  }

  /** Takes the duty, unless its Lease has changed since `before`. */
  async take(before: CachedObject | undefined): Promise<void> {
    const { api, clock, log, self, duty } = this.#parts
    this.#isBusy = true
    try {
      const old = before && api.parsed(LEASES, before)
      const [now, address] = [clock.now(), this.#parts.address()]
      const lease = withTerm(dutyLease(duty, old, self, now), address, now)
      const { metadata } = old === undefined ? await api.create(LEASES, lease) : await api.update(LEASES, lease)
      const stored = api.object(LEASES, dutyPlace(duty))
      if (stored !== undefined && stored.revision === Number(metadata.resourceVersion))
        this.#begin(stored, formerLeaders(lease, address))
    } catch (error) {
      // Another server was first.
      if (!isStatusError(error, 'Conflict') && !isStatusError(error, 'AlreadyExists'))
        log.warn({ err: error, duty }, 'a duty could not be taken; it is tried again')
    } finally {
      this.#isBusy = false
      this.#parts.changed()
    }
  }

  /** Its Lease has changed, or is gone. */
  saw(lease: CachedObject | undefined): void {
    if (this.#term !== undefined && lease?.revision !== this.#term.fence.revision) this.end('another server has it')
  }

  /** Stops the work; the Lease stays as it is. */
  end(why: string): void {
    if (!this.leads) return
    const { log, duty } = this.#parts
    log.info({ duty, why }, 'no longer leading')
    const term = this.#term as Term
    term.abort.abort(new Error(`this server does not lead ${duty} any more: ${why}`))
    void this.#settled(term).then(() => {
      if (this.#term === term) this.#term = undefined
      this.#parts.changed()
    })
  }

  /** Stops the work, if it goes on, waits until its writes have ended, and lets others take the duty. */
  async handOver(why: string): Promise<void> {
    const term = this.#term
    this.#isBusy = true
    this.end(why)
    if (term !== undefined) await this.#settled(term)
    await this.#release().catch((error: unknown) => {
      const { log, duty } = this.#parts
      log.warn({ err: error, duty }, 'a duty could not be handed over; others take it when this server has ended')
    })
    this.#isBusy = false
    this.#parts.changed()
  }

  #begin({ key, revision }: CachedObject, former: readonly FormerLeader[]): void {
    const { log, duty, work } = this.#parts
    const abort = new AbortController()
    const fence = { key, revision }
    const lost = () => this.end('its Lease has moved')
    log.info({ duty }, 'leading')
    const term: Term = { fence, abort, ended: Promise.resolve() }
    this.#term = term
    term.ended = work({ fence, signal: abort.signal, former, lost }).catch((error: unknown) => {
      if (!abort.signal.aborted) log.error({ err: error, duty }, 'the work of a duty failed')
    })
  }

  #settled({ ended }: Term): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.setTimer(SETTLE_MS, resolve)
      void ended.then(() => {
        cancel()
        resolve()
      })
    })
  }

  async #release(): Promise<void> {
    const { api, clock, self, duty } = this.#parts
    const stored = api.object(LEASES, dutyPlace(duty))
    const lease = stored && api.parsed(LEASES, stored)
    // Another server has it already, or nobody.
    if (lease === undefined || holderOf(lease) !== self) return
    await api.update(LEASES, dutyLease(duty, lease, '', clock.now())).catch((error: unknown) => {
      if (!isStatusError(error, 'Conflict')) throw error
    })
  }
}
