// Copies all objects of one store into another one, with their history, over the contract alone, and compares them afterwards.
// `homeostat migrate` calls it while no server uses either. A copy that was cut off is continued by the next call.

import type { Change, Entry, Note, Store, Value, WriteOutcome } from '../contract.ts'
import { compareStores } from './compare-stores.ts'
import { INCOMPLETE } from './incomplete.ts'

export interface CopyOptions {
  /** Milliseconds: when the notes of the copy's own writes say they were made. */
  now(): number
  /** Objects copied so far, and older generations of theirs. */
  copied?(objects: number, generations: number): void
  compared?(objects: number): void
  /**
   * Called when the copy is whole, before it may be used: keeps the source from being used any more. From here on nothing is read
   * from it. The next call of a copy that was cut off calls it again.
   */
  retire?(): Promise<void>
}

export interface Copied {
  readonly objects: number
  readonly generations: number
  /** SHA-256 over keys and values, the same for both stores. */
  readonly digest: string
}

const PAGE = 500
/** Keys at once: a store over a network answers one write in milliseconds, and many in about the same. */
const AT_ONCE = 64

const HEAD = '{"metadata":{"resourceVersion":"'
const TAIL = '"}}'
const MARK: Value = { bytes: Buffer.from(HEAD + TAIL), gap: HEAD.length, metaEnd: HEAD.length + TAIL.length - 1 }

/** Whether a copy into the store was begun and has not ended. */
export async function isIncomplete(store: Store): Promise<boolean> {
  return (await store.get(INCOMPLETE.key)) !== undefined
}

/** Whether the store has no objects: only such a one is copied into. */
export async function isEmpty(store: Store): Promise<boolean> {
  return (await store.range('', { limit: 1 })).entries.length === 0
}

export async function copyStore(from: Store, to: Store, options: CopyOptions): Promise<Copied> {
  const own = (minor: boolean) => noteAt(options.now(), minor)
  const mark = await markIncomplete(from, to, own(true))
  const revision = await from.revision()
  let [objects, generations, after, more] = [0, 0, '', true]
  while (more) {
    const page = await from.range('', { after, limit: PAGE, revision })
    for (let at = 0; at < page.entries.length; at += AT_ONCE) {
      const counts = await Promise.all(
        page.entries.slice(at, at + AT_ONCE).map((entry) => copyKey(from, to, entry, own(false))),
      )
      objects += counts.length
      generations += counts.reduce((sum, count) => sum + count, 0)
      options.copied?.(objects, generations)
    }
    await refuseChanged(from, revision)
    more = page.more
    after = page.entries.at(-1)?.key ?? after
  }
  const digest = await compareStores(from, to, revision, (count) => options.compared?.(count))
  await refuseChanged(from, revision)
  // Whoever watched the old store has to list anew: nothing tells it what was deleted.
  await to.compact(await to.revision())
  await options.retire?.()
  settled(INCOMPLETE.key, await to.delete(INCOMPLETE.key, mark, own(true)))
  return { objects, generations, digest }
}

async function markIncomplete(from: Store, to: Store, note: Note): Promise<Entry> {
  if (await isIncomplete(from)) throw new Error('the source itself holds only a part of a migration into it')
  const found = await to.get(INCOMPLETE.key)
  if (found !== undefined) return found
  if (!(await isEmpty(to))) throw new Error('the target holds objects already; only an empty one is copied into')
  const revision = settled(INCOMPLETE.key, await to.put(INCOMPLETE.key, MARK, undefined, note))
  return { key: INCOMPLETE.key, revision, value: MARK }
}

/** Servers renew their Leases every second, so that one that still runs is noticed early. */
async function refuseChanged(from: Store, revision: number): Promise<void> {
  if ((await from.revision()) === revision) return
  throw new Error('the source was written to meanwhile; stop all its servers, and run this again')
}

/** Returns how many older generations came along. `unknown` is the note of a key whose own is not kept. */
async function copyKey(from: Store, to: Store, { key, value, damage }: Entry, unknown: Note): Promise<number> {
  if (value === undefined)
    throw new Error(`${key} is damaged (${damage}); \`homeostat salvage\` keeps what can be read`)
  const kept = await from.history(key)
  const last = kept.at(-1)
  const older = kept.filter((change) => change !== last && isStep(change))
  const steps: Step[] = [...older.map(stepOf), { value, note: last?.note ?? unknown }]
  let current = await to.get(key)
  // All of it, or as many steps as an earlier call came to.
  const done = current === undefined ? 0 : (await to.history(key)).filter(({ note }) => !note.minor).length
  for (const step of steps.slice(Math.min(done, steps.length - 1))) {
    if (current !== undefined && isSame(current.value, step.value)) continue
    current = await write(to, key, current, step)
  }
  return older.length
}

interface Step {
  /** Undefined deletes. */
  readonly value: Value | undefined
  readonly note: Note
}

function isStep({ op, value, note }: Change): boolean {
  return !note.minor && (op === 'delete' || value !== undefined)
}

function stepOf({ op, value, note }: Change): Step {
  return { value: op === 'delete' ? undefined : value, note }
}

async function write(to: Store, key: string, current: Entry | undefined, { value, note }: Step) {
  if (value === undefined) {
    if (current !== undefined) settled(key, await to.delete(key, current, note))
    return undefined
  }
  const revision = settled(key, await to.put(key, value, current, note))
  return { key, revision, value }
}

function settled(key: string, outcome: WriteOutcome): number {
  if (outcome.type === 'committed') return outcome.revision
  if (outcome.type === 'failed' || outcome.type === 'unknown')
    throw new Error(`${key} could not be written: ${outcome.error.message}; run this again`, { cause: outcome.error })
  throw new Error(`${key} was written by somebody else; stop all servers of the target, and run this again`)
}

function isSame(some: Value | undefined, other: Value | undefined): boolean {
  if (some === undefined || other === undefined) return some === other
  return some.gap === other.gap && Buffer.compare(some.bytes, other.bytes) === 0
}

function noteAt(time: number, minor: boolean): Note {
  return { time, user: 'system:homeostat:migrate', manager: 'homeostat', ...(minor && { minor }) }
}
