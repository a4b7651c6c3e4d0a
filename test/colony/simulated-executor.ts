// An executor that keeps to the protocol and has bad luck: it crashes and comes back empty-handed, loses answers, repeats
// itself, is slow, fails, and closes attempts that the server reported as lost.

import type { AssignResponse, HeartbeatResponse, ProcessOutcome } from '@homeostat/executor/protocol'
import { attemptId, type Sent } from './history.ts'
import type { Exchange, Reply } from './wire.ts'
import { NAMESPACE, ROOT, type World } from './world.ts'

interface Held {
  readonly process: string
  readonly attempt: number
  /** Asked to end. */
  cancelled: boolean
  /** How it ended, once it has. */
  end: ProcessOutcome | undefined
  sending: boolean
}

const CAPACITY = 5

export class SimulatedExecutor {
  readonly #world: World
  readonly #name: string
  readonly #type: string
  readonly #path: string
  #held = new Map<string, Held>()
  #waiting = false

  constructor(world: World, name: string, type: string) {
    this.#world = world
    this.#name = name
    this.#type = type
    this.#path = `${ROOT}/executors/${name}`
    world.executors.push(name)
  }

  async live(signal: AbortSignal): Promise<void> {
    const { pace, wild } = this.#world
    while (!signal.aborted) {
      const life = new AbortController()
      const end = () => life.abort()
      signal.addEventListener('abort', end)
      const loops = Promise.all([this.#poll(life.signal), this.#heartbeat(life.signal)])
      await this.#world.pause(this.#world.within(pace.life), wild)
      if (this.#world.healthy) await loops
      life.abort()
      await loops
      signal.removeEventListener('abort', end)
      this.#held = new Map()
      await this.#world.pause(this.#world.within(pace.away), wild)
    }
  }

  async #poll(life: AbortSignal): Promise<void> {
    const world = this.#world
    await this.#register(life)
    while (!life.aborted) {
      const ends = [...this.#held.values()].filter((held) => held.end !== undefined && !held.sending)
      const room = CAPACITY - this.#held.size + ends.length
      if (room === 0 || world.chance(20)) await world.pause(world.random.between(1, 50), life)
      else if (ends.length > 0 && world.chance(40)) await Promise.all(ends.map((held) => this.#close(held, life)))
      else await this.#assign(ends, world.random.between(1, room + 1), life)
    }
  }

  async #register(life: AbortSignal): Promise<void> {
    const body = {
      apiVersion: 'colonies.io/v1',
      kind: 'Executor',
      metadata: { name: this.#name, namespace: NAMESPACE },
      spec: { type: this.#type },
    }
    for (;;) {
      const { reply } = await this.#world.wire.send('POST', `${ROOT}/executors`, body, life)
      if (reply !== undefined || life.aborted) return
    }
  }

  async #assign(ends: readonly Held[], max: number, life: AbortSignal): Promise<void> {
    const { ledger, random, wire } = this.#world
    // A call that reports outcomes does not wait for work.
    const seconds = ends.length > 0 ? 0 : this.#world.healthy ? 5 : random.pick([0.05, 1, 3])
    const finished = ends.map(({ end }) => end as ProcessOutcome)
    for (const held of ends) held.sending = true
    this.#waiting = true
    const path = `${this.#path}/assign?timeoutSeconds=${seconds}`
    const { sent, reply } = await wire.send('POST', path, { max, finished }, life)
    this.#waiting = false
    this.#heardBy(sent)
    const refused = refusedIndexes(reply)
    for (const [index, held] of ends.entries()) {
      // A call that was refused as a whole closed those that it does not name.
      const outcome = refused === undefined ? sent.outcome : refused.has(index) ? 'refused' : 'accepted'
      this.#closed(held, { ...sent, outcome: reply?.code === 404 ? 'unknown' : outcome })
    }
    if (life.aborted) return
    if (reply?.code === 404) await this.#register(life)
    if (reply?.code !== 200) return
    const { processes, cancelled } = reply.body as AssignResponse
    for (const { metadata, status } of processes) {
      const taken = { process: metadata.name ?? '', attempt: status.attempt }
      ledger.taken.push({ ...taken, executor: this.#name, answeredAt: sent.answeredAt ?? 0 })
      this.#run(taken, life)
    }
    for (const { process, attempt } of cancelled) this.#cancel(attemptId(process, attempt))
  }

  #run(taken: { process: string; attempt: number }, life: AbortSignal): void {
    const world = this.#world
    const held: Held = { ...taken, cancelled: false, end: undefined, sending: false }
    this.#held.set(attemptId(held.process, held.attempt), held)
    void world.pause(world.healthy ? 0 : world.within(world.pace.work), life).then(() => {
      held.end ??= this.#end(held)
      // While it waits for work, it reports outcomes in a call of their own.
      if (this.#waiting && !held.sending && !life.aborted) void this.#close(held, life)
    })
  }

  #end({ process, attempt, cancelled }: Held): ProcessOutcome {
    const { ledger, random } = this.#world
    const base = { process, attempt, output: { token: ledger.newToken() } }
    if (cancelled && !this.#world.chance(30)) return { ...base, result: 'Cancelled' }
    if (this.#world.chance(70) || this.#world.healthy) return { ...base, result: 'Succeeded' }
    if (this.#world.chance(30)) return { ...base, result: 'Succeeded', requeueAfter: random.pick([0, 0.2, 1]) }
    return { ...base, result: 'Failed', errors: ['bad luck'], ...(this.#world.chance(50) && { retryable: false }) }
  }

  #cancel(id: string): void {
    const held = this.#held.get(id)
    if (held === undefined) return
    held.cancelled = true
    if (!this.#world.chance(30)) held.end ??= this.#end(held)
  }

  async #close(held: Held, life: AbortSignal): Promise<void> {
    const { process, ...rest } = held.end as ProcessOutcome
    held.sending = true
    const { sent } = await this.#world.wire.send(
      'POST',
      `${ROOT}/processes/${process}/close`,
      { ...rest, executor: this.#name },
      life,
    )
    this.#heardBy(sent)
    this.#closed(held, sent)
  }

  /** Sends outcomes again that got no response, and sometimes those that got one. */
  #closed(held: Held, sent: Sent): void {
    const { process, attempt, result, requeueAfter, output } = held.end as ProcessOutcome
    const { token } = output as { token: string }
    const requeue = requeueAfter !== undefined
    this.#world.ledger.closes.push({ ...sent, process, attempt, executor: this.#name, result, requeue, token })
    held.sending = false
    if (sent.outcome !== 'unknown' && !this.#world.chance(10)) this.#held.delete(attemptId(process, attempt))
  }

  async #heartbeat(life: AbortSignal): Promise<void> {
    const { ledger, pace, wire } = this.#world
    for (;;) {
      await this.#world.pause(pace.heartbeat, life)
      if (life.aborted) return
      const holding = [...this.#held.values()].map(({ process, attempt }) => ({ process, attempt }))
      const { sent, reply }: Exchange = await wire.send('POST', `${this.#path}/heartbeat`, { holding }, life)
      this.#heardBy(sent)
      const ids = holding.map(({ process, attempt }) => attemptId(process, attempt))
      ledger.heartbeats.push({ ...sent, executor: this.#name, holding: ids })
      if (reply?.code !== 200) continue
      const { cancelled, lost } = reply.body as HeartbeatResponse
      for (const { process, attempt } of cancelled) this.#cancel(attemptId(process, attempt))
      for (const { process, attempt } of lost) this.#lose(attemptId(process, attempt))
    }
  }

  /** It ends what it has lost, but not always without a word. */
  #lose(id: string): void {
    const held = this.#held.get(id)
    if (held === undefined || held.sending) return
    if (this.#world.chance(50)) held.end ??= this.#end(held)
    else this.#held.delete(id)
  }

  #heardBy(sent: Sent): void {
    this.#world.ledger.contacts.push({ ...sent, executor: this.#name })
  }
}

/** Of an assign that was answered 409: which of the ends in it. */
function refusedIndexes(reply: Reply | undefined): ReadonlySet<number> | undefined {
  if (reply?.code !== 409) return undefined
  const causes: { field?: string }[] = reply.body.details?.causes ?? []
  return new Set(causes.map(({ field = '' }) => Number(/^finished\[(\d+)\]$/.exec(field)?.[1])))
}
