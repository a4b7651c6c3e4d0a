// Raises the horizon, copies to the archive what is kept below it, and lets etcd forget the rest. One server does it at a time:
// every transaction compares `meta/horizon`, so that whoever writes that key takes the work over from all others.

import { setTimeout as pause } from 'node:timers/promises'
import { HorizonKeeper } from '../history/horizon-keeper.ts'
import type { HistoryLimits } from '../history/limits.ts'
import { ArchiveIndex } from './archive-index.ts'
import { type ArchivedVersion, archiveName } from './archive-key.ts'
import { planOfKey, type WindowVersion } from './archive-plan.ts'
import { type ArchiveWindow, readWindow } from './archive-window.ts'
import type { Compare, Operation } from './client/contract.ts'
import { isEtcdError } from './client/etcd-error.ts'
import type { Horizon } from './horizon.ts'
import type { LiveWatch } from './live-watch.ts'
import { pages } from './pages.ts'
import type { Session } from './session.ts'
import { quotaOf } from './space.ts'
import { type HorizonMeta, type HorizonState, putJson, readHorizon } from './store-meta.ts'

/** etcd takes 128 operations and 128 compares at a time. */
const MAX_OPERATIONS = 100
const MAX_BYTES = 1 << 20
const SWEEP_EVERY_MS = 6 * 60 * 60 * 1000
/** How long another server may stand still before its work is taken over. */
const STANDSTILL_MS = 2000
const LOOK_AGAIN_MS = 50

type Deletion = Pick<ArchivedVersion, 'key' | 'revision'>

/** Another server has taken the compaction over. */
class Overtaken extends Error {}

export class Compactor {
  readonly #session: Session
  readonly #live: LiveWatch
  readonly #horizon: Horizon
  readonly #limits: HistoryLimits
  readonly #name: string
  readonly #keeper: HorizonKeeper
  /** For a database that is filling up: it keeps the time, and no number of changes. */
  readonly #shortKeeper: HorizonKeeper
  #index: ArchiveIndex | undefined
  #nextSweep = 0
  #queue: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #seen = 0
  #trouble: Error | undefined

  constructor(session: Session, live: LiveWatch, horizon: Horizon) {
    const { settings, id } = session
    this.#session = session
    this.#live = live
    this.#horizon = horizon
    this.#name = `${id.high.toString(16)}-${id.low.toString(16)}`
    this.#limits = {
      perKey: settings.historyPerKey,
      ageMs: settings.historyMs,
      bytes: settings.historyBytes,
      kindBytes: settings.historyKindBytes,
    }
    this.#keeper = new HorizonKeeper({ ms: settings.horizonMs, changes: settings.horizonChanges })
    this.#shortKeeper = new HorizonKeeper({ ms: settings.horizonMs, changes: 0 })
  }

  start(): void {
    this.#next()
    this.#timer = setInterval(() => void this.#keepHorizon(), this.#session.settings.compactEveryMs).unref()
  }

  /** Why this server could not compact when it last tried. */
  get trouble(): Error | undefined {
    return this.#trouble
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#queue
  }

  /** Raises the horizon to the etcd revision, if it is below, and brings the archive and etcd up to it. */
  compact(revision: number): Promise<void> {
    const done = this.#queue.then(() => this.#compact(revision))
    this.#queue = done.catch(() => {})
    return done
  }

  async #keepHorizon(): Promise<void> {
    const { normal, short } = this.#next()
    const next = short > normal && (await this.#isFillingUp()) ? short : normal
    // Another server did it since this one looked last.
    const { modRevision } = this.#horizon.state
    const isDone = modRevision !== this.#seen
    this.#seen = modRevision
    if (isDone || this.#session.isClosed || next <= this.#horizon.state.horizon) return
    await this.compact(next).catch((error: Error) => {
      if (!this.#session.isClosed) this.#trouble = error
    })
    this.#seen = this.#horizon.state.modRevision
  }

  #next(): { normal: number; short: number } {
    const { passed } = this.#live.position
    const now = performance.now()
    return { normal: this.#keeper.next(now, passed), short: this.#shortKeeper.next(now, passed) }
  }

  /** Once the quota is used up, nothing can be written that a compaction has to write. */
  async #isFillingUp(): Promise<boolean> {
    const status = await this.#session.client.status().catch(() => undefined)
    return status !== undefined && status.dbSizeInUse > quotaOf(status) / 2
  }

  async #compact(revision: number): Promise<void> {
    for (;;) {
      this.#session.assertOpen()
      try {
        const state = await this.#takeOver(revision)
        if (state === undefined) return
        await this.#bringUp(state)
        this.#trouble = undefined
        return
      } catch (error) {
        // What the archive holds is no longer known for certain.
        this.#index = undefined
        if (!(error instanceof Overtaken)) throw error
      }
    }
  }

  /** Undefined when another server has done it. */
  async #takeOver(revision: number): Promise<HorizonState | undefined> {
    for (;;) {
      const state = await this.#othersDone(await this.#read())
      if (state.horizon >= revision && state.archived >= state.horizon && state.by !== this.#name) return undefined
      if (state.by !== this.#name) this.#index = undefined
      const newest = this.#session.etcdRevision(this.#live.position.revision)
      const raised = await this.#write(state, { horizon: Math.max(state.horizon, revision), newest })
      if (raised !== undefined) return raised
    }
  }

  /** Waits while another server is at work. */
  async #othersDone(state: HorizonState): Promise<HorizonState> {
    let latest = state
    let stillSince = performance.now()
    while (latest.by !== this.#name && latest.archived < latest.horizon) {
      await pause(LOOK_AGAIN_MS)
      const next = await this.#read()
      if (next.modRevision !== latest.modRevision) stillSince = performance.now()
      else if (performance.now() - stillSince > STANDSTILL_MS) break
      latest = next
    }
    return latest
  }

  async #bringUp(taken: HorizonState): Promise<void> {
    const { client, layout } = this.#session
    let state = taken
    this.#index ??= await ArchiveIndex.read(client, layout)
    while (state.archived < state.horizon) {
      const window = await this.#readWindow(state)
      await this.#archive(window, this.#index, state)
      const archived = window.through
      const next = await this.#write(state, { archived, horizon: Math.max(state.horizon, archived) })
      if (next === undefined) throw new Overtaken()
      state = next
    }
    await this.#sweep(this.#index, state)
    await client.compact(state.horizon).catch((error: unknown) => {
      if (!isEtcdError(error, 'compacted')) throw error
    })
  }

  /** What etcd has forgotten before it was archived is left out, as after a restored snapshot. */
  async #readWindow(state: HorizonState): Promise<ArchiveWindow> {
    try {
      return await readWindow(this.#session, state.archived, state.horizon)
    } catch (error) {
      const through = isEtcdError(error, 'compacted') ? (error.compactRevision ?? 0) : 0
      if (through <= state.archived) throw error
      this.#session.settings.onWarning(
        `etcd was compacted by somebody else up to its revision ${through}: of what was replaced after ${state.archived}, history has nothing`,
      )
      await this.#removeDeletions(await this.#deletionsUpTo(through), state)
      return { keys: new Map(), through }
    }
  }

  async #deletionsUpTo(revision: number): Promise<Deletion[]> {
    const { client, layout } = this.#session
    const deletions: Deletion[] = []
    for await (const { kvs } of pages(client, layout.under('deleted', ''), { keysOnly: true }))
      for (const { key, modRevision } of kvs)
        if (modRevision <= revision) deletions.push({ key: layout.nameIn('deleted', key), revision: modRevision })
    return deletions
  }

  async #archive({ keys, through }: ArchiveWindow, index: ArchiveIndex, state: HorizonState): Promise<void> {
    const copy: WindowVersion[] = []
    const remove: ArchivedVersion[] = []
    const deletions: ArchivedVersion[] = []
    for (const [key, versions] of keys) {
      const plan = planOfKey(index.of(key), versions, through, this.#limits.perKey)
      copy.push(...plan.copy)
      remove.push(...plan.remove)
      const newest = versions.at(-1)
      if (newest?.isDeletion) deletions.push(newest)
    }
    await this.#carryOut(copy, remove, index, state)
    await this.#removeDeletions(deletions, state)
  }

  async #sweep(index: ArchiveIndex, state: HorizonState): Promise<void> {
    const isDue = performance.now() >= this.#nextSweep
    if (!isDue && !index.isOver(this.#limits)) return
    this.#nextSweep = performance.now() + SWEEP_EVERY_MS
    await this.#carryOut([], index.surplus(this.#limits, Date.now()), index, state)
  }

  async #carryOut(
    copy: readonly WindowVersion[],
    remove: readonly ArchivedVersion[],
    index: ArchiveIndex,
    state: HorizonState,
  ): Promise<void> {
    const { layout } = this.#session
    const puts = copy.map((version) => ({
      size: version.size,
      operation: { type: 'put', key: layout.archived(archiveName(version)), value: version.record } as Operation,
    }))
    const deletes = remove.map((version) => ({
      size: 0,
      operation: { type: 'delete', key: layout.archived(archiveName(version)) } as Operation,
    }))
    for (const batch of batches([...puts, ...deletes])) {
      const { succeeded } = await this.#session.client.txn({ compare: [this.#held(state)], success: batch })
      if (!succeeded) throw new Overtaken()
    }
    for (const version of remove) index.remove(version)
    for (const version of copy) index.add(version)
  }

  /** The records of deletions go once they are below the horizon, unless the key was deleted again. */
  async #removeDeletions(deletions: readonly Deletion[], state: HorizonState): Promise<void> {
    const { client, layout } = this.#session
    for (let start = 0; start < deletions.length; start += MAX_OPERATIONS) {
      const some = deletions.slice(start, start + MAX_OPERATIONS)
      const unmoved = some.map(({ key, revision }): Compare => at(layout.deleted(key), revision))
      const success = some.map(({ key }): Operation => ({ type: 'delete', key: layout.deleted(key) }))
      const { succeeded } = await client.txn({ compare: [this.#held(state), ...unmoved], success })
      if (succeeded) continue
      for (const [index, compare] of unmoved.entries())
        await client.txn({ compare: [this.#held(state), compare], success: success.slice(index, index + 1) })
    }
  }

  async #read(): Promise<HorizonState> {
    const { client, layout, since } = this.#session
    const state = await readHorizon(client, layout, since)
    this.#horizon.learn(state)
    return state
  }

  /** Undefined when somebody else wrote it since. */
  async #write(state: HorizonState, change: Partial<HorizonMeta>): Promise<HorizonState | undefined> {
    const { horizon, archived, newest } = { ...state, ...change }
    const meta: HorizonMeta = { horizon, archived, newest: Math.max(newest, state.newest), by: this.#name }
    const { succeeded, revision } = await this.#session.client.txn({
      compare: [this.#held(state), at(this.#session.layout.meta('store'), this.#session.since)],
      success: [putJson(this.#session.layout.meta('horizon'), meta)],
    })
    if (!succeeded) return undefined
    const written = { ...meta, modRevision: revision }
    this.#horizon.learn(written)
    return written
  }

  #held(state: HorizonState): Compare {
    return at(this.#session.layout.meta('horizon'), state.modRevision)
  }
}

function at(key: string, modRevision: number): Compare {
  return { key, target: 'modRevision', value: modRevision }
}

function* batches(all: readonly { readonly size: number; readonly operation: Operation }[]): Generator<Operation[]> {
  let batch: Operation[] = []
  let bytes = 0
  for (const { size, operation } of all) {
    if (batch.length > 0 && (batch.length === MAX_OPERATIONS || bytes + size > MAX_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(operation)
    bytes += size
  }
  if (batch.length > 0) yield batch
}
