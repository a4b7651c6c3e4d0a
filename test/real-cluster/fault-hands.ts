// Carries a plan of faults out, one after the other or overlapping as it says, and mends everything at the end.

import { join } from 'node:path'
import type { EtcdCluster } from '@homeostat/store/testing/etcd/etcd-cluster'
import type { EtcdMember } from '@homeostat/store/testing/etcd/etcd-member'
import { saveSnapshot } from '@homeostat/store/testing/etcd/etcd-snapshot'
import { describeFault, type Fault, MEMBERS, type PlannedFault, SERVERS } from './fault-plan.ts'
import type { KeptServer } from './kept-server.ts'
import type { Network, Way } from './network.ts'
import { slowDisk } from './slow-disk.ts'
import type { Truth } from './truth.ts'
import type { Restored } from './verdict.ts'

export interface Parts {
  readonly cluster: EtcdCluster
  readonly network: Network
  readonly servers: readonly KeptServer[]
  readonly truth: Truth
  /** Hears what happens as it happens. */
  readonly tell: (line: string) => void
}

export class FaultHands {
  readonly #parts: Parts
  readonly #began = performance.now()
  /** What was done when, for a person. */
  readonly log: string[] = []
  restored: Restored | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async carryOut(plan: readonly PlannedFault[]): Promise<void> {
    let underWay: Promise<void>[] = []
    for (const planned of plan) {
      // What moves data between members needs a whole cluster.
      const isLarge = planned.fault.type === 'replace' || planned.fault.type === 'restore'
      if (!planned.overlaps || isLarge) {
        await Promise.all(underWay)
        underWay = []
      }
      await pause(planned.afterMs)
      const carriedOut = this.#do(planned)
      underWay.push(carriedOut)
      if (isLarge) await carriedOut
    }
    await Promise.all(underWay)
    this.#parts.network.heal()
    for (const member of this.#parts.cluster.members) if (!member.running) await member.start()
    this.#note('everything is whole')
  }

  async #do({ fault, forMs }: PlannedFault): Promise<void> {
    this.#note(describeFault({ fault, forMs }))
    await this.#act(fault, forMs)
    this.#note(`${fault.type} is over`)
  }

  #act(fault: Fault, forMs: number): Promise<void> {
    switch (fault.type) {
      case 'kill':
        return this.#kill(fault.whom, forMs)
      case 'pause':
        return this.#pause(fault.whom, forMs)
      case 'restart':
        return this.#server(fault.whom)?.end('SIGTERM', Promise.resolve()) ?? Promise.resolve()
      case 'slow-disk':
        return this.#slowDown(fault.whom, fault.delayMs, forMs)
      case 'partition':
        return this.#cut(fault.cut, forMs)
      case 'compact':
        return this.#parts.truth.compact()
      case 'replace':
        return this.#replace(fault.whom)
      case 'restore':
        return this.#restore(forMs)
    }
  }

  async #kill(whom: string, forMs: number): Promise<void> {
    const away = pause(forMs)
    const server = this.#server(whom)
    if (server !== undefined) {
      await server.end('SIGKILL', away)
      return away
    }
    const member = await this.#member(whom)
    await member.kill()
    await away
    // Somebody else may have started it, or replaced it.
    if (!member.running && this.#parts.cluster.members.includes(member)) member.launch()
  }

  async #pause(whom: string, forMs: number): Promise<void> {
    const target = this.#server(whom) ?? (await this.#member(whom))
    target.pause()
    await pause(forMs)
    target.resume()
  }

  async #slowDown(whom: string, delayMs: number, forMs: number): Promise<void> {
    const { pid } = await this.#member(whom)
    if (pid === undefined) return
    const mend = slowDisk(pid, delayMs)
    await pause(forMs)
    await mend()
  }

  async #cut(ways: readonly Way[], forMs: number): Promise<void> {
    const { network, cluster } = this.#parts
    await this.#learnIds(cluster)
    network.cut(ways)
    await pause(forMs)
    network.heal()
  }

  async #replace(whom: string): Promise<void> {
    const { cluster } = this.#parts
    await this.#allRunning()
    const member = cluster.members.find(({ name }) => name === whom)
    if (member !== undefined) await cluster.replace(member)
    await this.#learnIds(cluster)
  }

  /** What is written in the given time after the snapshot is lost. */
  async #restore(forMs: number): Promise<void> {
    const { cluster, network, truth } = this.#parts
    await this.#allRunning()
    const file = join(cluster.folder, 'snapshot.db')
    const [member] = cluster.members
    const snapshot = await saveSnapshot(member?.clientUrl ?? '', file)
    await pause(forMs)
    const from = performance.now()
    // What is committed from here on nobody could be told of, so that the truth has all that anybody was.
    network.cut(SERVERS.flatMap((from) => MEMBERS.flatMap((to) => [way(from, to), way(to, from)])))
    await truth.catchUp()
    const until = await truth.endEra(snapshot, () => cluster.restore(file))
    network.heal()
    this.restored = { snapshot, until, from, to: performance.now() }
    await this.#learnIds(cluster)
  }

  async #allRunning(): Promise<void> {
    for (const member of this.#parts.cluster.members) {
      if (!member.running) member.launch()
      await member.ready()
    }
  }

  #server(whom: string): KeptServer | undefined {
    return this.#parts.servers.find(({ name }) => name === whom)
  }

  /** `leader` is whoever leads now; the first when nobody does. */
  async #member(whom: string): Promise<EtcdMember> {
    const { cluster } = this.#parts
    const named = cluster.members.find(({ name }) => name === whom)
    const [first] = cluster.members
    const found = named ?? (await Promise.race([cluster.leader(), pause(1000).then(() => first)]))
    if (found === undefined) throw new Error(`there is no member ${whom} of ${MEMBERS}`)
    return found
  }

  /** Which connection is whose, by the ids that members tell each other. */
  async #learnIds(cluster: EtcdCluster): Promise<void> {
    const running = cluster.members.find((member) => member.running)
    const list = await cluster.call('/v3/cluster/member/list', { linearizable: false }, running).catch(() => undefined)
    const members: { ID: string; name: string }[] = list?.members ?? []
    if (members.length > 0)
      this.#parts.network.learn(new Map(members.map(({ ID, name }) => [BigInt(ID).toString(16), name])))
  }

  #note(text: string): void {
    const line = `${((performance.now() - this.#began) / 1000).toFixed(2)} s: ${text}`
    this.log.push(line)
    this.#parts.tell(line)
  }
}

function way(from: string, to: string): Way {
  return { from, to }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
