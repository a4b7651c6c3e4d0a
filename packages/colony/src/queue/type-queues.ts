// The Processes of each namespace and executor type. Those that can be taken are in groups of equal demands, each a heap,
// so that a take compares one head per group. A part of the process queue; it decides nothing about time.

import { type Entry, type Group, goesBefore, type TypeQueue } from './entry.ts'
import { BY_AGE, BY_ORDER } from './entry-orders.ts'
import { Heap } from './heap.ts'
import type { Demands, Puller } from './queued-process.ts'

export class TypeQueues {
  readonly #typeQueues = new Map<string, TypeQueue>()
  readonly #fresh = new Set<TypeQueue>()

  /** Adds the entry and counts it as waiting or running. */
  enter(entry: Entry): void {
    const { namespace, phase, demands } = entry.process
    const key = typeQueueKey(namespace, demands.executorType)
    const typeQueue = this.#typeQueues.get(key) ?? emptyTypeQueue(namespace, demands.executorType)
    this.#typeQueues.set(key, typeQueue)
    entry.typeQueue = typeQueue
    if (phase === 'Running') typeQueue.running += 1
    else typeQueue.waiting.add(entry)
  }

  leave(entry: Entry): void {
    const typeQueue = entry.typeQueue
    if (!typeQueue) return
    this.withhold(entry)
    if (entry.places.age >= 0) typeQueue.waiting.remove(entry)
    else typeQueue.running -= 1
    entry.typeQueue = undefined
    if (typeQueue.running > 0 || typeQueue.waiting.size > 0) return
    this.#typeQueues.delete(typeQueueKey(typeQueue.namespace, typeQueue.executorType))
    this.#fresh.delete(typeQueue)
  }

  /** Makes the entry available to `take`. */
  offer(entry: Entry): void {
    const typeQueue = entry.typeQueue
    if (!typeQueue || entry.group) return
    const { demands } = entry.process
    const key = groupKey(demands)
    const group = typeQueue.groups.get(key) ?? { key, demands, ready: new Heap(BY_ORDER) }
    typeQueue.groups.set(key, group)
    group.ready.add(entry)
    entry.group = group
    this.#fresh.add(typeQueue)
  }

  /** Makes the entry unavailable to `take`. */
  withhold(entry: Entry): void {
    const group = entry.group
    if (!group) return
    group.ready.remove(entry)
    entry.group = undefined
    if (group.ready.size === 0) entry.typeQueue?.groups.delete(group.key)
  }

  /** The groups that an executor can serve. */
  served(puller: Puller): Group[] {
    const typeQueue = this.#typeQueues.get(typeQueueKey(puller.namespace, puller.type))
    return typeQueue ? [...typeQueue.groups.values()].filter((group) => serves(puller, group.demands)) : []
  }

  servesAny(puller: Puller): boolean {
    const typeQueue = this.#typeQueues.get(typeQueueKey(puller.namespace, puller.type))
    return typeQueue?.groups.values().some((group) => serves(puller, group.demands)) ?? false
  }

  /** Returns the queues in which something was offered since the last call. */
  fresh(): TypeQueue[] {
    const typeQueues = [...this.#fresh]
    this.#fresh.clear()
    return typeQueues
  }

  isFresh(): boolean {
    return this.#fresh.size > 0
  }

  /** Counts everything on offer in a namespace as new. */
  renew(namespace: string): void {
    for (const typeQueue of this.#typeQueues.values()) {
      if (typeQueue.namespace === namespace && typeQueue.groups.size > 0) this.#fresh.add(typeQueue)
    }
  }

  values(): Iterable<TypeQueue> {
    return this.#typeQueues.values()
  }
}

/** The first entry, in the order of assignment, that fits into the free capacity. */
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
    hasAll(puller.software, demands.software) &&
    demands.cpu <= puller.cpu &&
    demands.memory <= puller.memory
  )
}

function emptyTypeQueue(namespace: string, executorType: string): TypeQueue {
  return { namespace, executorType, groups: new Map(), waiting: new Heap(BY_AGE), running: 0 }
}

/** A namespace has no slash in its name. */
function typeQueueKey(namespace: string, executorType: string): string {
  return `${namespace}/${executorType}`
}

function hasAll(has: readonly string[] | undefined, demanded: readonly string[]): boolean {
  return has === undefined || demanded.every((name) => has.includes(name))
}

function groupKey({ funcName, executorNames, location, software, cpu, memory }: Demands): string {
  return executorNames.length === 0 && location === '' && software.length === 0 && cpu === 0 && memory === 0
    ? funcName
    : JSON.stringify([funcName, executorNames, location, software, cpu, memory])
}
