// Decides what a compaction copies to the archive and what it removes from there, for the changes of one window; pure. Which
// versions of a key are kept is decided as in the memory driver.

import type { Change } from '../contract.ts'
import { keptVersions } from '../history/kept-versions.ts'
import type { ArchivedVersion } from './archive-key.ts'

/** A version that etcd still has, with its record. */
export interface WindowVersion extends ArchivedVersion {
  readonly record: readonly Uint8Array[]
}

export interface KeyPlan {
  readonly copy: readonly WindowVersion[]
  readonly remove: readonly ArchivedVersion[]
}

/**
 * `archived` are the key's versions in the archive, `window` those that etcd has up to `through`, the state before the window first;
 * both oldest first.
 */
export function planOfKey(
  archived: readonly ArchivedVersion[],
  window: readonly WindowVersion[],
  through: number,
  perKey: number,
): KeyPlan {
  const inArchive = new Set(archived.map(({ revision }) => revision))
  // After a compaction that was cut off, the archive has some of them.
  const fresh = window.filter(({ revision }) => !inArchive.has(revision))
  const { history } = keptVersions([...archived, ...fresh].map(asChange), through, perKey)
  const kept = new Set(history.map(({ revision }) => revision))
  return {
    copy: fresh.filter(({ revision }) => kept.has(revision)),
    remove: archived.filter(({ revision }) => !kept.has(revision)),
  }
}

function asChange({ key, revision, isDeletion, isMinor, time }: ArchivedVersion): Change {
  const note = { time, user: '', manager: '', minor: isMinor }
  return { key, revision, op: isDeletion ? 'delete' : 'put', value: undefined, previous: undefined, note }
}
