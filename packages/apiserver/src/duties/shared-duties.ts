// The duties of a server that shares its store: renews its heartbeat, watches those of the others, and takes and hands over
// what the ring gives to whom. The plan is pure (duty-plan.ts, members.ts); a single server does not load this.

import { type Clock, type Log, Ring, Waiters } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { Held } from '../identity/held.ts'
import type { Api, ObjectChange } from '../registry/api.ts'
import type { Duties, Member } from './duties.ts'
import { planDuty } from './duty-plan.ts'
import {
  dutyIn,
  dutyPlace,
  holderOf,
  LEASES,
  memberIn,
  memberLease,
  memberPlace,
  memberRecord,
  renew,
} from './leases.ts'
import { LedDuty } from './led-duty.ts'
import { Members } from './members.ts'

export interface SharedDutiesOptions {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  /** Of this process alone: two that share one would take turns. */
  readonly id: string
}

const RENEW_MS = 1000
/** A heartbeat that stood still for this long is of a dead member. */
const DEAD_MS = 4000
/** A server that could not renew for this long stops leading. */
const LATE_MS = 3000
/** The Lease of a dead member stays for this long, so that people see it. */
const KEPT_MS = 60_000

export class SharedDuties implements Duties {
  readonly isShared = true
  readonly #options: SharedDutiesOptions
  readonly #members = new Members(DEAD_MS)
  readonly #duties = new Map<string, LedDuty>()
  readonly #holders = new Map<string, string>()
  readonly #waiters = new Waiters()
  readonly #ended = new AbortController()
  readonly #stop: () => void
  #running: Promise<void> | undefined
  #address = ''
  /** When the last renewal that was stored began. */
  #began: number | undefined
  /** When the last renewal began, stored or not. */
  #tried = Number.NEGATIVE_INFINITY
  #cancelLate = () => {}
  #wake = () => {}
  #isWoken = false
  #isLooking = false
  #isDraining = false
  #isTroubled = false
  #closing: Promise<void> | undefined

  constructor(options: SharedDutiesOptions) {
    this.#options = options
    const { api } = options
    this.#stop = api.follow(LEASES, (change) => this.#changed(change))
    for (const object of api.objects(LEASES)) this.#changed({ resource: LEASES, object, previous: undefined })
  }

  async lead(name: string, work: (held: Held) => Promise<void>, ending: AbortSignal): Promise<void> {
    const { api, clock, log, id } = this.#options
    const changed = () => this.#lookSoon()
    const duty = new LedDuty({
      api,
      clock,
      log,
      self: id,
      duty: name,
      address: () => this.#address || id,
      work,
      changed,
    })
    this.#duties.set(name, duty)
    this.#running ??= this.#run()
    // The others hear of it with the next heartbeat.
    this.#renewNow()
    await aborted(ending)
    this.#duties.delete(name)
    await this.#idle(duty, 'its work ends here')
    this.#renewNow()
  }

  leader(name: string): Member | 'here' | undefined {
    const holder = this.#holders.get(name) ?? ''
    if (holder === this.#options.id) return this.#duties.get(name)?.leads === true ? 'here' : undefined
    return this.#members.get(holder)
  }

  members(): readonly Member[] {
    return this.#members.live(this.#began ?? this.#uptime())
  }

  changed(signal: AbortSignal): Promise<void> {
    return this.#waiters.wait(signal)
  }

  reachedAt(address: string): void {
    this.#address = address
    this.#renewNow()
  }

  drain(): void {
    this.#isDraining = true
    this.#renewNow()
    this.#lookSoon()
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    this.drain()
    const handed = [...this.#duties.values()].map((duty) => this.#idle(duty, 'the server ends'))
    await Promise.all(handed)
    this.#ended.abort()
    this.#wake()
    await this.#running
    this.#cancelLate()
    this.#stop()
    this.#waiters.notify()
    const { api, log, id } = this.#options
    await api.delete(LEASES, memberPlace(id)).catch((error: unknown) => {
      if (!isStatusError(error, 'NotFound'))
        log.warn({ err: error }, 'the heartbeat of this server could not be deleted; others wait until it is dead')
    })
  }

  /** Resolves when the duty is handed over, also one that is just being taken. */
  async #idle(duty: LedDuty, why: string): Promise<void> {
    for (;;) {
      if (duty.leads) await duty.handOver(why)
      if (duty.isIdle) return
      await this.#waiters.wait()
    }
  }

  async #run(): Promise<void> {
    // The constructor of the owner returns first.
    await null
    while (!this.#ended.signal.aborted) {
      this.#isWoken = false
      await this.#renew()
      if (!this.#isWoken && !this.#ended.signal.aborted) await this.#pause()
    }
  }

  async #renew(): Promise<void> {
    const { api, clock, log, id } = this.#options
    const began = this.#uptime()
    this.#tried = began
    const duties = this.#isDraining ? [] : [...this.#duties.keys()].sort()
    try {
      const renewal = { id, address: this.#address, duties, seconds: DEAD_MS / 1000, now: clock.now() }
      const renewed = await api.change(LEASES, memberPlace(id), (lease) => renew(lease, renewal))
      if (renewed === undefined) await api.create(LEASES, memberLease(renewal))
      this.#isTroubled = false
      this.#renewed(began)
    } catch (error) {
      if (!this.#isTroubled) log.warn({ err: error }, 'the heartbeat of this server could not be written')
      this.#isTroubled = true
    }
  }

  #renewed(began: number): void {
    this.#began = began
    this.#cancelLate()
    this.#cancelLate = this.#options.clock.setTimer(began + LATE_MS - this.#uptime(), () => this.#endIfLate())
    this.#look()
    this.#bury()
  }

  #endIfLate(): void {
    if (!this.#isLate) return
    for (const duty of this.#duties.values()) duty.end('the heartbeat of this server could not be written in time')
  }

  get #isLate(): boolean {
    return this.#began === undefined || this.#uptime() - this.#began >= LATE_MS
  }

  /**
   * The next renewal is when the next one may be found dead, so that it is found in time: at once if that time came while the last
   * renewal was under way.
   */
  #pause(): Promise<void> {
    const { clock } = this.#options
    const now = this.#uptime()
    const death = this.#members.nextDeath(this.#tried) ?? Number.POSITIVE_INFINITY
    return new Promise((resolve) => {
      const cancel = clock.setTimer(Math.min(RENEW_MS, death - now), resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }

  #renewNow(): void {
    this.#isWoken = true
    this.#wake()
  }

  #changed({ object, previous }: ObjectChange): void {
    const key = (object ?? previous)?.name ?? ''
    const id = memberIn(key)
    const duty = id === undefined ? dutyIn(key) : undefined
    if (id !== undefined) this.#sawMember(id, object)
    if (duty !== undefined) this.#sawDuty(duty, object)
  }

  #sawMember(id: string, object: CachedObject | undefined): void {
    const known = this.#members.get(id)
    const lease = object && this.#options.api.parsed(LEASES, object)
    if (lease === undefined) this.#members.gone(id)
    else this.#members.saw(memberRecord(id, lease, object?.revision ?? 0), this.#uptime())
    const duties = (one: typeof known) => [...(one?.duties ?? [])].join()
    if (duties(known) !== duties(this.#members.get(id))) this.#lookSoon()
  }

  #sawDuty(name: string, object: CachedObject | undefined): void {
    const lease = object && this.#options.api.parsed(LEASES, object)
    if (lease === undefined) this.#holders.delete(name)
    else this.#holders.set(name, holderOf(lease))
    this.#duties.get(name)?.saw(object)
    this.#lookSoon()
  }

  /** What one batch of changes says is looked at once. */
  #lookSoon(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    queueMicrotask(() => {
      this.#isLooking = false
      this.#look()
    })
  }

  #look(): void {
    if (!this.#isLate && this.#began !== undefined) {
      const live = this.#members.live(this.#began)
      for (const [name, duty] of this.#duties) this.#carryOut(name, duty, live)
    }
    this.#waiters.notify()
  }

  #carryOut(name: string, duty: LedDuty, live: readonly { id: string; duties: ReadonlySet<string> }[]): void {
    const { api, id: self } = this.#options
    const able = live.filter(({ id, duties }) => (id === self ? !this.#isDraining : duties.has(name)))
    const isLeading = duty.leads
    if (!isLeading && !duty.isIdle) return
    const plan = planDuty({
      self,
      holder: this.#holders.get(name) ?? '',
      isLeading,
      live: new Set(live.map(({ id }) => id)),
      owner: new Ring(able.map(({ id }) => id)).ownerOf(name),
    })
    if (plan === 'take') void duty.take(api.object(LEASES, dutyPlace(name)))
    if (plan === 'hand-over') void duty.handOver('another server does it')
  }

  /** Deletes the Leases of members that have been dead for a while. One member does it. */
  #bury(): void {
    const { api, log, id: self } = this.#options
    const began = this.#began ?? 0
    if (this.#members.live(began)[0]?.id !== self) return
    for (const { id, revision } of this.#members.dead(began, KEPT_MS)) {
      const preconditions = { resourceVersion: String(revision) }
      api.delete(LEASES, memberPlace(id), { preconditions }).then(
        () => log.info({ member: id }, 'a server that shared this store is gone'),
        // It is back, or another server was first. The next look finds what is left.
        () => {},
      )
    }
  }

  #uptime(): number {
    const { clock } = this.#options
    return clock.uptime?.() ?? clock.now()
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
