// Compares what clients were told during a run with the log of changes at its end. Pure: it gets records and answers
// what is wrong, in words. The order of revisions decides everything, so it is linear in the length of the run.

import { colorOf, TORN } from './token.ts'

/** One committed change. No token: the key was deleted. */
export interface LogEntry {
  readonly revision: number
  readonly key: string
  readonly token: string | undefined
}

export interface Write {
  readonly key: string
  /** What it wrote; undefined for a deletion. */
  readonly token: string | undefined
  /** The revision it deletes. */
  readonly deletes?: number
  /** The highest revision that anyone had been told of when it was sent. */
  readonly seen: number
  /** `unknown`: no whole answer came. */
  readonly outcome: 'acknowledged' | 'refused' | 'unknown'
  /** As acknowledged. Deletions are answered without one. */
  readonly revision?: number
}

export interface StreamEvent {
  readonly type: string
  readonly key: string
  readonly revision: number
  readonly token: string
}

/** What one watcher saw from a revision on, over all its connections. */
export interface Stream {
  readonly name: string
  readonly from: number
  /** It has been told that there is nothing more up to here, and ended there. Default: it follows to the end of the run. */
  readonly until?: number
  /** It watched only Widgets of this colour. */
  readonly color?: string
  readonly events: readonly StreamEvent[]
}

/** A list, or one object that was read (`key`), and the highest revision anyone had been told of before. */
export interface Picture {
  readonly revision: number
  readonly seen: number
  readonly objects: readonly { readonly key: string; readonly revision: number; readonly token: string }[]
}

export interface Run {
  readonly log: readonly LogEntry[]
  readonly writes: readonly Write[]
  readonly streams: readonly Stream[]
  /** Lists, in the order they were asked for. */
  readonly pictures: readonly Picture[]
  /** Single objects that were read. */
  readonly reads: readonly LogEntry[]
}

export function checkRun(run: Run): string[] {
  return [
    ...checkLog(run.log),
    ...checkWrites(run),
    ...run.streams.flatMap((stream) => checkStream(stream, run.log)),
    ...checkPictures(run),
    ...checkReads(run),
  ]
}

function checkLog(log: readonly LogEntry[]): string[] {
  const wrong: string[] = []
  let last = 0
  for (const { revision, key, token } of log) {
    if (revision <= last) wrong.push(`log: revision ${revision} comes after ${last}`)
    if (token === TORN) wrong.push(`log: ${key} is torn at revision ${revision}`)
    last = revision
  }
  return wrong
}

/** Each acknowledged write is in the log once and at its revision; the log holds nothing that nobody wrote. */
function checkWrites({ log, writes }: Run): string[] {
  const wrong: string[] = []
  // Several may ask for the same deletion; the one that was acknowledged explains it best.
  const open = Map.groupBy(
    writes.toSorted((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome)),
    (write) => nameOf(write.key, write.token, write.deletes),
  )
  const held = new Map<string, number>()
  for (const { revision, key, token } of log) {
    const name = nameOf(key, token, held.get(key))
    const write = open.get(name)?.shift()
    if (token === undefined) held.delete(key)
    else held.set(key, revision)
    if (write === undefined) wrong.push(`log: revision ${revision} (${name}) was written twice or by nobody`)
    else wrong.push(...checkPlace(write, revision, name))
  }
  for (const [name, left] of open)
    for (const { outcome, revision } of left)
      if (outcome === 'acknowledged')
        wrong.push(`lost: ${name} was acknowledged${revision === undefined ? '' : ` at ${revision}`}`)
  return wrong
}

const OUTCOMES = ['acknowledged', 'unknown', 'refused']

function checkPlace(write: Write, revision: number, name: string): string[] {
  const wrong: string[] = []
  if (write.outcome === 'refused') wrong.push(`log: ${name} was refused but is there at ${revision}`)
  if (write.revision !== undefined && write.revision !== revision)
    wrong.push(`log: ${name} was acknowledged at ${write.revision} but is there at ${revision}`)
  if (revision <= write.seen)
    wrong.push(`log: ${name} got revision ${revision}, but ${write.seen} was known when it was sent`)
  return wrong
}

function nameOf(key: string, token: string | undefined, deletes: number | undefined): string {
  return token === undefined ? `deletion of ${key} at ${deletes}` : `${key} = ${token}`
}

function checkStream(stream: Stream, log: readonly LogEntry[]): string[] {
  const expected = expectedEvents(stream, log)
  for (let i = 0; i < Math.max(expected.length, stream.events.length); i++) {
    const want = expected[i]
    const got = stream.events[i]
    if (textOf(want) === textOf(got)) continue
    return [`${stream.name}: event ${i} is ${textOf(got)} instead of ${textOf(want)}: ${diagnose(stream, i, want)}`]
  }
  return []
}

/** The events that a watcher must see: colours come and go as if the object did. */
function expectedEvents(
  { from, until = Number.POSITIVE_INFINITY, color }: Stream,
  log: readonly LogEntry[],
): StreamEvent[] {
  const matches = (token: string | undefined): token is string =>
    token !== undefined && (color === undefined || colorOf(token) === color)
  const held = new Map<string, string>()
  const events: StreamEvent[] = []
  for (const { revision, key, token } of log) {
    const before = held.get(key)
    if (token === undefined) held.delete(key)
    else held.set(key, token)
    if (revision <= from || revision > until) continue
    if (matches(token)) events.push({ type: matches(before) ? 'MODIFIED' : 'ADDED', key, revision, token })
    else if (matches(before)) events.push({ type: 'DELETED', key, revision, token: before })
  }
  return events
}

function diagnose({ events }: Stream, at: number, want: StreamEvent | undefined): string {
  const got = events[at]
  if (got === undefined) return 'the stream ends too early'
  if (got.token === TORN) return 'the object is torn'
  if (events.slice(0, at).some((event) => event.revision === got.revision)) return 'a duplicate'
  if (want !== undefined && events.slice(at).some((event) => textOf(event) === textOf(want))) return 'out of order'
  return want !== undefined && got.revision > want.revision ? 'an event is missing' : 'an event that never happened'
}

function textOf(event: StreamEvent | undefined): string {
  return event === undefined ? 'nothing' : `${event.type} ${event.key} = ${event.token} at ${event.revision}`
}

/** Each list is the whole truth at its revision, and no list is older than what was known before it was asked for. */
function checkPictures({ log, pictures }: Run): string[] {
  const wrong: string[] = []
  const held = new Map<string, string>()
  let at = 0
  let last = 0
  for (const { revision, seen, objects } of pictures) {
    if (revision < last || revision < seen)
      wrong.push(`list: revision ${revision} is older than ${Math.max(last, seen)}, which was known before`)
    last = revision
    for (let entry = log[at]; entry !== undefined && entry.revision <= revision; entry = log[++at]) {
      if (entry.token === undefined) held.delete(entry.key)
      else held.set(entry.key, `${entry.key} = ${entry.token} at ${entry.revision}`)
    }
    const listed = new Set(objects.map((object) => `${object.key} = ${object.token} at ${object.revision}`))
    const whole = new Set(held.values())
    for (const object of whole.difference(listed)) wrong.push(`list at ${revision}: misses ${object}`)
    for (const object of listed.difference(whole)) wrong.push(`list at ${revision}: ${object} should not be there`)
  }
  return wrong
}

/** Whatever was read stays true: nothing is shown before it is certain to last. */
function checkReads({ log, reads }: Run): string[] {
  const known = new Set(log.map(({ key, token, revision }) => `${key} = ${token} at ${revision}`))
  return reads
    .map(({ key, token, revision }) => `${key} = ${token} at ${revision}`)
    .filter((text) => !known.has(text))
    .map((text) => `read: ${text} was shown but is not in the log`)
}
