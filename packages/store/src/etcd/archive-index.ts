// What the archive holds, by key and in bytes of each kind, read from the names of its keys alone. The server that compacts
// keeps it in memory, as long as no other does.

import { HistorySweep } from '../history/history-sweep.ts'
import { type HistoryLimits, historyLevel, kindOfKey } from '../history/limits.ts'
import { type ArchivedVersion, parseArchiveName } from './archive-key.ts'
import type { EtcdClient } from './client/contract.ts'
import type { Layout } from './layout.ts'
import { pages } from './pages.ts'

export class ArchiveIndex {
  /** Oldest first. */
  readonly #versions = new Map<string, ArchivedVersion[]>()
  readonly #sizes = new Map<string, number>()

  static async read(client: EtcdClient, layout: Layout): Promise<ArchiveIndex> {
    const index = new ArchiveIndex()
    for await (const { kvs } of pages(client, layout.under('archive', ''), { keysOnly: true })) {
      for (const { key } of kvs) {
        const version = parseArchiveName(layout.nameIn('archive', key))
        if (version !== undefined) index.add(version)
      }
    }
    return index
  }

  of(key: string): readonly ArchivedVersion[] {
    return this.#versions.get(key) ?? []
  }

  /** After all others of its key. */
  add({ key, revision, isDeletion, isMinor, time, size }: ArchivedVersion): void {
    // Without the record that it may come with.
    const version = { key, revision, isDeletion, isMinor, time, size }
    const versions = this.#versions.get(key)
    if (versions === undefined) this.#versions.set(key, [version])
    else versions.push(version)
    this.#resize(version, 1)
  }

  remove(version: ArchivedVersion): void {
    const rest = this.of(version.key).filter(({ revision }) => revision !== version.revision)
    if (rest.length > 0) this.#versions.set(version.key, rest)
    else this.#versions.delete(version.key)
    this.#resize(version, -1)
  }

  isOver(limits: HistoryLimits): boolean {
    return historyLevel([...this.#sizes.values()], limits) !== undefined
  }

  /** What is too old or too much, the oldest first. */
  surplus(limits: HistoryLimits, now: number): ArchivedVersion[] {
    const sizes = new Map(this.#sizes)
    const sweep = new HistorySweep(sizes, limits, now)
    const all = [...this.#versions.values()].flat().sort((a, b) => a.revision - b.revision)
    const dropped: ArchivedVersion[] = []
    for (const version of all) {
      const kind = kindOfKey(version.key)
      if (sweep.drops(kind, version.time)) {
        dropped.push(version)
        sizes.set(kind, (sizes.get(kind) ?? 0) - bytesOf(version))
      } else if (sweep.isDone) break
    }
    return dropped
  }

  #resize(version: ArchivedVersion, sign: 1 | -1): void {
    const kind = kindOfKey(version.key)
    const size = (this.#sizes.get(kind) ?? 0) + sign * bytesOf(version)
    if (size > 0) this.#sizes.set(kind, size)
    else this.#sizes.delete(kind)
  }
}

function bytesOf({ key, size }: ArchivedVersion): number {
  return key.length + size
}
