// What is kept of one key: every record above the horizon, from each to the one that it replaced, and below it what the compactor has
// copied to the archive. The store calls it.

import type { Change, HistoryOptions } from '../contract.ts'
import { parseArchiveName } from './archive-key.ts'
import type { KeyValue } from './client/contract.ts'
import { isEtcdError } from './client/etcd-error.ts'
import type { Horizon } from './horizon.ts'
import { pages } from './pages.ts'
import { type DecodedRecord, decodeRecord } from './record.ts'
import { scan } from './scan.ts'
import type { Session } from './session.ts'
import { newestOf, recordAt } from './settle.ts'

interface Version extends DecodedRecord {
  /** etcd's. */
  readonly revision: number
}

/** After so many steps one scan of all changes is cheaper. */
const MAX_STEPS = 100
/** What a limited answer may have. */
const MAX_BYTES = 4 << 20
/** Each is lost to a horizon that rose meanwhile. */
const MAX_TRIES = 5

export async function keyHistory(
  session: Session,
  key: string,
  horizon: Horizon,
  options: HistoryOptions,
): Promise<readonly Change[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await historyFrom(session, key, horizon.oldest, options)
    } catch (error) {
      if (!isEtcdError(error, 'compacted') || tries === MAX_TRIES) throw error
      // What is kept of it is in the archive now, or still there at the new horizon.
      await horizon.ask()
    }
  }
}

async function historyFrom(
  session: Session,
  key: string,
  horizon: number,
  { steps = false, limit }: HistoryOptions,
): Promise<readonly Change[]> {
  const wanted = new Wanted(steps, limit)
  const recent = await aboveHorizon(session, key, horizon, wanted)
  const oldest = recent.at(-1)?.revision ?? Number.POSITIVE_INFINITY
  const archived = wanted.isFull ? [] : await archivedBefore(session, key, oldest)
  const versions = [...archived, ...recent.reverse()]
  const changes = versions.map((version, index) => changeOf(session, key, version, versions[index - 1]))
  const shown = changes.filter(({ note }) => !steps || !note.minor)
  return limit === undefined ? shown : shown.slice(Math.max(0, shown.length - wanted.fitting(shown)))
}

/** Says when enough has been read: one more than is shown, since each shows what it replaced. */
class Wanted {
  readonly #steps: boolean
  readonly #limit: number
  #left: number
  #bytes = 0

  constructor(steps: boolean, limit: number | undefined) {
    this.#steps = steps
    this.#limit = limit ?? Number.POSITIVE_INFINITY
    this.#left = this.#limit + 1
  }

  count({ note, value }: DecodedRecord): void {
    if (!this.#steps || !note.minor) this.#left--
    this.#bytes += value?.bytes.length ?? 0
  }

  get isFull(): boolean {
    return this.#left <= 0 || (this.#limit !== Number.POSITIVE_INFINITY && this.#bytes > 2 * MAX_BYTES)
  }

  /** How many of the newest are shown: at least one. */
  fitting(changes: readonly Change[]): number {
    let bytes = 0
    let count = 0
    for (const { value } of changes.toReversed()) {
      bytes += value?.bytes.length ?? 0
      if (count === this.#limit || (count > 0 && bytes > MAX_BYTES)) break
      count++
    }
    return count
  }
}

/** Newest first, down to the state at the horizon. */
async function aboveHorizon(session: Session, key: string, horizon: number, wanted: Wanted): Promise<Version[]> {
  const { client, layout } = session
  const [object, deletion] = await Promise.all([
    client.range({ key: layout.object(key) }),
    client.range({ key: layout.deleted(key) }),
  ])
  const versions: Version[] = []
  let kv = newestOf({ object: object.kvs[0], deletion: deletion.kvs[0] })
  while (kv !== undefined) {
    const version = versionOf(kv)
    versions.push(version)
    wanted.count(version)
    if (wanted.isFull || version.revision <= horizon || version.previous === 0) break
    if (versions.length === MAX_STEPS) {
      versions.push(...(await scanBefore(session, key, horizon, version.revision)))
      break
    }
    kv = await recordAt(session, key, version.previous, Math.max(version.previous, horizon))
  }
  return versions
}

async function scanBefore(session: Session, key: string, horizon: number, before: number): Promise<Version[]> {
  const { client, layout, signal } = session
  const versions: Version[] = []
  for (const name of [layout.object(key), layout.deleted(key)]) {
    const range = { key: name, end: `${name}\0` }
    await scan(client, { range, from: horizon + 1, upto: before - 1, signal }, (events) => {
      for (const { type, kv } of events) if (type === 'put') versions.push(versionOf(kv))
      return true
    })
  }
  versions.sort((a, b) => b.revision - a.revision)
  const previous = versions.at(-1)?.previous ?? 0
  const atHorizon = previous > 0 ? await recordAt(session, key, previous, Math.max(previous, horizon)) : undefined
  return atHorizon === undefined ? versions : [...versions, versionOf(atHorizon)]
}

/** Oldest first. */
async function archivedBefore(session: Session, key: string, before: number): Promise<Version[]> {
  const { client, layout } = session
  const versions: Version[] = []
  for await (const { kvs } of pages(client, layout.under('archive', `${key}\0`), {})) {
    for (const kv of kvs) {
      const name = parseArchiveName(layout.nameIn('archive', kv.key))
      // A longer key with a zero byte may lie between.
      if (name?.key !== key || name.revision >= before) continue
      versions.push({ ...decodeRecord(kv.value), revision: name.revision })
    }
  }
  return versions
}

function versionOf(kv: KeyValue): Version {
  return { ...decodeRecord(kv.value), revision: kv.modRevision }
}

function changeOf(session: Session, key: string, version: Version, before: Version | undefined): Change {
  const { value, note, isDeletion, damage } = version
  const replaced = before?.revision === version.previous && !before.isDeletion ? before : undefined
  const previous = replaced && {
    key,
    revision: session.revisionOf(replaced.revision),
    value: replaced.value,
    ...(replaced.damage !== undefined && { damage: replaced.damage }),
  }
  const revision = session.revisionOf(version.revision)
  const change: Change = { revision, key, op: isDeletion ? 'delete' : 'put', value, previous, note }
  return damage === undefined ? change : { ...change, damage }
}
