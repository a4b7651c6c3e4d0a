// The Processes of each namespace and executor type. Those that can be taken stand in groups of equal demands, each a
// heap, so that a take looks at one head for each group. A part of the process queue; it decides nothing about time.

import { type Entry, type Group, goesBefore, type Lane } from './entry.ts'
import { BY_AGE, BY_TURN } from './entry-orders.ts'
import { Heap } from './heap.ts'
import type { Demands, Puller } from './queued-process.ts'

export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #fresh = new Set<Lane>()

  /** Counts it, under the state it has now. */
  enter(entry: Entry): void {
    const { namespace, phase, demands } = entry.process
    const key = laneKey(namespace, demands.executorType)
    const lane = this.#lanes.get(key) ?? emptyLane(namespace, demands.executorType)
    this.#lanes.set(key, lane)
    entry.lane = lane
    if (phase === 'Running') lane.running += 1
    else lane.waiting.add(entry)
  }

  leave(entry: Entry): void {
    const lane = entry.lane
    if (!lane) return
    this.withhold(entry)
    if (entry.places.age >= 0) lane.waiting.remove(entry)
    else lane.running -= 1
    entry.lane = undefined
    if (lane.running > 0 || lane.waiting.size > 0) return
    this.#lanes.delete(laneKey(lane.namespace, lane.executorType))
    this.#fresh.delete(lane)
  }

  /** From now on it can be taken. */
  offer(entry: Entry): void {
    const lane = entry.lane
    if (!lane || entry.group) return
    const { demands } = entry.process
    const key = groupKey(demands)
    const group = lane.groups.get(key) ?? { key, demands, ready: new Heap(BY_TURN) }
    lane.groups.set(key, group)
    group.ready.add(entry)
    entry.group = group
    this.#fresh.add(lane)
  }

  /** From now on it cannot be taken. */
  withhold(entry: Entry): void {
    const group = entry.group
    if (!group) return
    group.ready.remove(entry)
    entry.group = undefined
    if (group.ready.size === 0) entry.lane?.groups.delete(group.key)
  }

  /** The groups that an executor can serve. */
  served(puller: Puller): Group[] {
    const lane = this.#lanes.get(laneKey(puller.namespace, puller.type))
    return lane ? [...lane.groups.values()].filter((group) => serves(puller, group.demands)) : []
  }

  servesAny(puller: Puller): boolean {
    const lane = this.#lanes.get(laneKey(puller.namespace, puller.type))
    return lane?.groups.values().some((group) => serves(puller, group.demands)) ?? false
  }

  /** Those that something was offered in since the last call. */
  fresh(): Lane[] {
    const lanes = [...this.#fresh]
    this.#fresh.clear()
    return lanes
  }

  isFresh(): boolean {
    return this.#fresh.size > 0
  }

  /** What is on offer in a namespace counts as new. */
  renew(namespace: string): void {
    for (const lane of this.#lanes.values()) {
      if (lane.namespace === namespace && lane.groups.size > 0) this.#fresh.add(lane)
    }
  }

  values(): Iterable<Lane> {
    return this.#lanes.values()
  }
}

/** Of those that fit into what is free, the one whose turn is first. */
export function firstOf(groups: readonly Group[], free: { readonly cpu: number; readonly memory: number }) {
  let first: Entry | undefined
  for (const { demands, ready } of groups) {
    const head = ready.peek()
    if (!head || demands.cpu > free.cpu || demands.memory > free.memory) continue
    if (!first || goesBefore(head.process, first.process)) first = head
  }
  return first
}

export function serves(puller: Puller, demands: Demands): boolean {
  return (
    (puller.functions.length === 0 || puller.functions.includes(demands.funcName)) &&
    (demands.executorNames.length === 0 || demands.executorNames.includes(puller.name)) &&
    (demands.location === '' || demands.location === puller.location.toLowerCase()) &&
    demands.cpu <= puller.cpu &&
    demands.memory <= puller.memory
  )
}

function emptyLane(namespace: string, executorType: string): Lane {
  return { namespace, executorType, groups: new Map(), waiting: new Heap(BY_AGE), running: 0 }
}

/** A namespace has no slash in its name. */
function laneKey(namespace: string, executorType: string): string {
  return `${namespace}/${executorType}`
}

function groupKey({ funcName, executorNames, location, cpu, memory }: Demands): string {
  return executorNames.length === 0 && location === '' && cpu === 0 && memory === 0
    ? funcName
    : JSON.stringify([funcName, executorNames, location, cpu, memory])
}
