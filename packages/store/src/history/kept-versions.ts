// Which versions of one key survive a compaction, for drivers that hold them in memory; pure. The SQLite driver decides the
// same row by row, and the conformance suite compares them.

import type { Change, Revision } from '../contract.ts'

export interface KeptVersions {
  /** Versions that are kept as history alone, oldest first. */
  readonly history: readonly Change[]
  /** The state at the horizon and everything after it. */
  readonly reachable: readonly Change[]
}

/** `versions` are all that is kept of the key, oldest first. */
export function keptVersions(versions: readonly Change[], horizon: Revision, perKey: number): KeptVersions {
  const below = versions.filter(({ revision }) => revision <= horizon)
  const newest = below.at(-1)
  if (newest === undefined) return { history: [], reachable: versions }
  const above = versions.slice(below.length)
  const isGone = newest.op === 'delete'
  const reachable = isGone ? above : [newest, ...above]
  if (perKey === 0) return { history: [], reachable }
  const forgotten = below.findLastIndex(({ op, note }) => op === 'delete' && note.minor === true)
  const rest = below.slice(forgotten + 1)
  // A deletion keeps the state that it removed, whatever wrote it last.
  const steps = rest.filter(({ note }, index) => !note.minor || rest[index + 1]?.op === 'delete')
  const cut = steps.filter(({ note }) => !note.minor).at(-(perKey + (isGone ? 1 : 2)))
  const history = steps.filter((step) => step.revision > (cut?.revision ?? 0) && (isGone || step !== newest))
  return { history, reachable }
}
