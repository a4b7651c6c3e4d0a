// The options of the SQLite store and their defaults.

import type { DamagedRecord } from '../contract.ts'
import type { FaultRule } from './fault.ts'
import type { OnLoss } from './revision-guard.ts'

export interface SqliteStoreOptions {
  /** Where the data lives; made if absent. One process at a time can use it. */
  readonly directory: string
  /** Writes that may be waiting or in flight; more fail as overloaded. Default 4096. */
  readonly maxPendingWrites?: number
  /** `changes` and `range` reach back at least this long. Default 5 minutes. */
  readonly horizonMs?: number
  /** ... and at least so many changes. Default 100,000. */
  readonly horizonChanges?: number
  /** How often the store considers raising the horizon. Default 30 seconds. */
  readonly compactEveryMs?: number
  /** Older generations of a key that `history` keeps below the horizon; minor changes do not count. Default 10. */
  readonly historyPerKey?: number
  /** How long it keeps them. Default 30 days. */
  readonly historyMs?: number
  /** How much it keeps in all; the kinds that have most give first. Default 256 MiB. */
  readonly historyBytes?: number
  /** How much it keeps of each kind. Default 64 MiB. */
  readonly historyKindBytes?: number
  /** What to do when acknowledged writes are missing from the files. Default refuse: opening fails and says how to go on. */
  readonly onLoss?: OnLoss
  /** Called with each warning for the operator, once the store is open. Default none. */
  readonly onWarning?: (warning: string) => void
  /** The caller reads everything first, in pages of 1,000 or more; the store reads the first page ahead. Default no. */
  readonly willReadAll?: boolean
  /** How long `close` waits for a thread that hangs. Default 10 seconds. */
  readonly closeTimeoutMs?: number
  /** Pages of the WAL that are moved into the data file at a time while writes go on. Default 1000, which is 4 MB. */
  readonly checkpointPages?: number
  /** When the first check of all records for damage starts. Default a minute after the start. */
  readonly checkAfterMs?: number
  /** How long after the end of one check the next begins. Default a day. */
  readonly checkEveryMs?: number
  /** Called once for each damaged record that a check finds. */
  readonly onDamage?: (record: DamagedRecord) => void
  /** NORMAL does not sync commits, so a power cut loses the last ones. For tests. Default FULL. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  /** For tests: faults to inject. */
  readonly fault?: readonly FaultRule[]
  /** For tests: pages the file may have, as on a small disk. */
  readonly maxPages?: number | undefined
}

export function withDefaults(options: SqliteStoreOptions): Required<SqliteStoreOptions> {
  return {
    directory: options.directory,
    maxPendingWrites: options.maxPendingWrites ?? 4096,
    horizonMs: options.horizonMs ?? 5 * 60 * 1000,
    horizonChanges: options.horizonChanges ?? 100_000,
    compactEveryMs: options.compactEveryMs ?? 30_000,
    historyPerKey: options.historyPerKey ?? 10,
    historyMs: options.historyMs ?? 30 * 24 * 60 * 60 * 1000,
    historyBytes: options.historyBytes ?? 256 * 1024 * 1024,
    historyKindBytes: options.historyKindBytes ?? 64 * 1024 * 1024,
    onLoss: options.onLoss ?? 'refuse',
    onWarning: options.onWarning ?? (() => {}),
    willReadAll: options.willReadAll ?? false,
    closeTimeoutMs: options.closeTimeoutMs ?? 10_000,
    checkpointPages: options.checkpointPages ?? 1000,
    checkAfterMs: options.checkAfterMs ?? 60_000,
    checkEveryMs: options.checkEveryMs ?? 24 * 60 * 60 * 1000,
    onDamage: options.onDamage ?? (() => {}),
    synchronous: options.synchronous ?? 'FULL',
    fault: options.fault ?? [],
    maxPages: options.maxPages,
  }
}
