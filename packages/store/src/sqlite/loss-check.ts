// Finds out whether the files of a store miss acknowledged writes. It looks for frames of the WAL that SQLite would silently
// drop before SQLite opens the file; other losses show in the newest revision of the file.

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { Revision } from '../contract.ts'
import type { CheckedLine } from './checked-line.ts'
import {
  FRAME_HEADER_BYTES,
  isLost,
  lastCommit,
  type ReadBytes,
  scanWal,
  WAL_HEADER_BYTES,
  type WalScan,
  wholeUntil,
} from './wal-scan.ts'

export interface FileEvidence {
  /** The data file is absent or has no bytes. */
  readonly empty: boolean
  /** The WAL holds durable transactions that SQLite would drop. */
  readonly walLost: boolean
}

export interface Loss {
  /** The last revision that is still there. */
  readonly after: Revision
  /** The last one that is known to have been there. */
  readonly through: Revision | undefined
}

/** Must run before SQLite opens the files, because SQLite drops what it cannot use. */
export function inspectFiles(file: string): FileEvidence {
  const empty = !((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0)
  const walLost = withFile(`${file}-wal`, (wal, size) => {
    const scan = scanWal(wal, size)
    if (scan.lost || (empty && scan.recovered > 0)) return true
    return scan.header === 'damaged' && withFile(file, (data) => holdsMore(scan, wal, data))
  })
  return { empty, walLost }
}

export interface KnownRevisions {
  readonly mark: CheckedLine | undefined
  readonly reserved: CheckedLine | undefined
  /** What the caller has acknowledged itself. */
  readonly acknowledged: Revision
}

/** `found` is what the file holds, with no uid if it is no store yet; undefined if that is not known. */
export function findLoss(
  { empty, walLost }: FileEvidence,
  found: { readonly uid: string; readonly revision: Revision } | undefined,
  { mark, reserved, acknowledged }: KnownRevisions,
): Loss | undefined {
  if (empty || found?.uid === '') {
    const held = walLost || (mark?.revision ?? 0) > 0 || reserved !== undefined
    return held ? { after: 0, through: mark?.revision } : undefined
  }
  if (found === undefined) return undefined
  const through = Math.max(acknowledged, mark?.uid === found.uid ? mark.revision : 0)
  if (through > found.revision) return { after: found.revision, through }
  return walLost ? { after: found.revision, through: undefined } : undefined
}

/**
 * Without a sound header SQLite uses no frame. That is right when the WAL was about to start over, for then all of it
 * is in the data file already; what is not there is lost.
 */
function holdsMore({ frames, pageSize, salt }: WalScan, wal: ReadBytes, data: ReadBytes): boolean {
  const first = frames.findIndex((_, index) => frames[index + 1]?.chains === true)
  if (first < 0) return false
  const end = wholeUntil(frames, first + 1)
  if (isLost(frames, salt, end)) return true
  const last = lastCommit(frames, first, end)
  const pages = frames[last]?.commit ?? 0
  const newest = new Map<number, number>()
  for (let index = first; index <= last; index++) newest.set(frames[index]?.page ?? 0, index)
  for (const [page, index] of newest) {
    if (page > pages) continue
    const at = WAL_HEADER_BYTES + index * (FRAME_HEADER_BYTES + pageSize) + FRAME_HEADER_BYTES
    if (!wal(at, pageSize).equals(data((page - 1) * pageSize, pageSize))) return true
  }
  return false
}

/** Reads the file; empty if it does not exist. */
export function withFile<T>(file: string, use: (read: ReadBytes, size: number) => T): T {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return use(() => Buffer.alloc(0), 0)
  }
  try {
    return use((at, length) => {
      const bytes = Buffer.allocUnsafeSlow(length)
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, at))
    }, fstatSync(descriptor).size)
  } finally {
    closeSync(descriptor)
  }
}
