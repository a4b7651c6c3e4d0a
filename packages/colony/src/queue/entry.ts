// What the queue keeps for one Process, and the groups in which it stands. Only the parts of the process queue use it.

import type { Heap } from './heap.ts'
import type { Demands, QueuedProcess } from './queued-process.ts'

export interface Entry {
  process: QueuedProcess
  /** Given to somebody whose write is not known yet. */
  reserved: boolean
  /** Its notBefore has come, or it has none. */
  ripe: boolean
  /** It has waited too long: it is about to fail, and nobody gets it. */
  expired: boolean
  /** When the cancel of a running one was first seen. */
  cancelSeen: number | undefined
  /** Before this, what time demanded is not demanded again. */
  retryAt: number
  /** When time next demands something. */
  time: number
  typeQueue: TypeQueue | undefined
  /** Set while it can be taken. */
  group: Group | undefined
  keyQueue: KeyQueue | undefined
  places: Places
}

/** Its place in each order; -1: not there. */
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
  /** None of them is empty. */
  readonly groups: Map<string, Group>
  /** All that wait, also those that cannot be taken now. */
  readonly waiting: Heap<Entry>
  running: number
}

/** Those of a typeQueue with equal demands that can be taken. */
export interface Group {
  readonly key: string
  readonly demands: Demands
  readonly ready: Heap<Entry>
}

/** The Processes of one concurrency key. */
export interface KeyQueue {
  readonly id: string
  /** All of the key that have not ended. */
  readonly members: Heap<Entry>
  /** The one on offer. */
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

/** Holds its concurrency key, may be taken, or neither. The order of these numbers is the order in a key's queue. */
export const STANDING = { busy: 0, ready: 1, idle: 2 } as const

export function standing({ process, reserved, ripe, expired }: Entry): number {
  if (process.phase === 'Running' || reserved) return STANDING.busy
  return process.phase === 'Waiting' && ripe && !expired && !process.cancel ? STANDING.ready : STANDING.idle
}

/** Whose turn comes first. */
export function goesBefore(a: QueuedProcess, b: QueuedProcess): boolean {
  return a.order === b.order ? a.name < b.name : a.order < b.order
}
