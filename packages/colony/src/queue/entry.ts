// What the queue keeps for one Process, and the orders in which it can stand. Only the parts of the process queue use it.

import type { Order } from './heap.ts'
import type { KeyLine } from './key-lines.ts'
import type { Group, Lane } from './lanes.ts'
import type { QueuedProcess } from './queued-process.ts'

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
  lane: Lane | undefined
  /** Set while it can be taken. */
  group: Group | undefined
  line: KeyLine | undefined
  places: Places
}

/** Its place in each order; -1: not there. */
interface Places {
  ready: number
  age: number
  line: number
  ripening: number
  deadline: number
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
    lane: undefined,
    group: undefined,
    line: undefined,
    places: { ready: -1, age: -1, line: -1, ripening: -1, deadline: -1 },
  }
}

/** Holds its concurrency key, may be taken, or neither. The order of these numbers is the order in a key's line. */
export const STANDING = { busy: 0, ready: 1, idle: 2 } as const

export function standing({ process, reserved, ripe, expired }: Entry): number {
  if (process.phase === 'Running' || reserved) return STANDING.busy
  return process.phase === 'Waiting' && ripe && !expired && !process.cancel ? STANDING.ready : STANDING.idle
}

/** Whose turn comes first. */
export function goesBefore(a: QueuedProcess, b: QueuedProcess): boolean {
  return a.order === b.order ? a.name < b.name : a.order < b.order
}

export const BY_TURN: Order<Entry> = {
  before: (a, b) => goesBefore(a.process, b.process),
  place: (entry) => entry.places.ready,
  setPlace: (entry, place) => {
    entry.places.ready = place
  },
}

export const BY_AGE: Order<Entry> = {
  before: (a, b) => a.process.submittedAt < b.process.submittedAt,
  place: (entry) => entry.places.age,
  setPlace: (entry, place) => {
    entry.places.age = place
  },
}

/** Within a concurrency key: who holds it, then who may have it next. */
export const BY_STANDING: Order<Entry> = {
  before: (a, b) => {
    const [left, right] = [standing(a), standing(b)]
    return left === right ? goesBefore(a.process, b.process) : left < right
  },
  place: (entry) => entry.places.line,
  setPlace: (entry, place) => {
    entry.places.line = place
  },
}

export const BY_NOT_BEFORE: Order<Entry> = {
  before: (a, b) => (a.process.notBefore ?? 0) < (b.process.notBefore ?? 0),
  place: (entry) => entry.places.ripening,
  setPlace: (entry, place) => {
    entry.places.ripening = place
  },
}

export const BY_DEADLINE: Order<Entry> = {
  before: (a, b) => a.time < b.time,
  place: (entry) => entry.places.deadline,
  setPlace: (entry, place) => {
    entry.places.deadline = place
  },
}
