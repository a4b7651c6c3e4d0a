// What the queue keeps for one Process, and the queues and the group that it is in. Only the parts of the process queue
// use it.

import type { Heap } from './heap.ts'
import type { Demands, QueuedProcess } from './queued-process.ts'

export interface Entry {
  process: QueuedProcess
  /** Handed out to an executor; the write that assigns it is not committed yet. */
  reserved: boolean
  /** Its notBefore has passed, or it has none. */
  ripe: boolean
  /** Its waitDeadline has passed: it is about to fail and must not be assigned. */
  expired: boolean
  /** When the cancel of a running Process was first seen. */
  cancelSeen: number | undefined
  /** Before this time, its deadline is not handed out again. */
  retryAt: number
  /** Its next deadline. */
  time: number
  typeQueue: TypeQueue | undefined
  /** Set while it can be taken. */
  group: Group | undefined
  keyQueue: KeyQueue | undefined
  places: Places
}

/** Its index in the heap of each order; -1 when it is in none. */
interface Places {
  ready: number
  age: number
  keyQueue: number
  ripening: number
  deadline: number
}

/** The Processes of one namespace and executor type. */
export interface TypeQueue {
  readonly namespace: string
  readonly executorType: string
  /** Empty groups are removed. */
  readonly groups: Map<string, Group>
  /** Every Process that waits, also those that cannot be taken now. */
  readonly waiting: Heap<Entry>
  running: number
}

/** The Processes of a TypeQueue that have equal demands and can be taken now. */
export interface Group {
  readonly key: string
  readonly demands: Demands
  readonly ready: Heap<Entry>
}

/** The Processes of one concurrency key. */
export interface KeyQueue {
  readonly id: string
  /** Every Process of the key that has not ended. */
  readonly members: Heap<Entry>
  /** The Process that can be taken now. */
  front: Entry | undefined
}

export function newEntry(process: QueuedProcess): Entry {
  return {
    process,
    reserved: false,
    ripe: false,
    expired: false,
    cancelSeen: undefined,
    retryAt: 0,
    time: 0,
    typeQueue: undefined,
    group: undefined,
    keyQueue: undefined,
    places: { ready: -1, age: -1, keyQueue: -1, ripening: -1, deadline: -1 },
  }
}

/** Whether an entry holds its concurrency key, can be taken, or neither. A key's queue is sorted by these numbers. */
export const STANDING = { busy: 0, ready: 1, idle: 2 } as const

export function standing({ process, reserved, ripe, expired }: Entry): number {
  if (process.phase === 'Running' || reserved) return STANDING.busy
  return process.phase === 'Waiting' && ripe && !expired && !process.cancel ? STANDING.ready : STANDING.idle
}

/** Whether `a` is assigned before `b`. */
export function goesBefore(a: QueuedProcess, b: QueuedProcess): boolean {
  return a.order === b.order ? a.name < b.name : a.order < b.order
}
