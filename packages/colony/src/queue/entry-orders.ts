// The orders in which the queue keeps its entries. Each entry knows its place in every one of them.

import { type Entry, goesBefore, standing } from './entry.ts'
import type { Order } from './heap.ts'

export const BY_ORDER: Order<Entry> = {
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

/** Within a concurrency key: first the Process that holds it, then those that may have it next. */
export const BY_STANDING: Order<Entry> = {
  before: (a, b) => {
    const [left, right] = [standing(a), standing(b)]
    return left === right ? goesBefore(a.process, b.process) : left < right
  },
  place: (entry) => entry.places.keyQueue,
  setPlace: (entry, place) => {
    entry.places.keyQueue = place
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
