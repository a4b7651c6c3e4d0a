// The name of an archived version: its key and what a compaction decides by, so that keys alone tell what there is. The
// compactor and `history` call it; pure.

/** What is known of a version without its value. */
export interface ArchivedVersion {
  readonly key: string
  /** The etcd revision that wrote it. */
  readonly revision: number
  readonly isDeletion: boolean
  readonly isMinor: boolean
  /** The time of its note, in milliseconds. */
  readonly time: number
  /** Bytes of its record. */
  readonly size: number
}

const REVISION_DIGITS = 14
const TIME_DIGITS = 14
const SIZE_DIGITS = 8
/** A zero byte, and digits of a fixed number: whatever a key contains, the last so many characters are not its own. */
const SUFFIX_LENGTH = 1 + REVISION_DIGITS + 1 + TIME_DIGITS + SIZE_DIGITS
const SUFFIX = /\0([0-9a-f]{14})([0-3])([0-9a-f]{14})([0-9a-f]{8})$/

export function archiveName({ key, revision, isDeletion, isMinor, time, size }: ArchivedVersion): string {
  const flags = (isDeletion ? 1 : 0) | (isMinor ? 2 : 0)
  const stamp = Math.min(Math.max(Math.floor(time), 0), Number.MAX_SAFE_INTEGER)
  return `${key}\0${hex(revision, REVISION_DIGITS)}${flags}${hex(stamp, TIME_DIGITS)}${hex(size, SIZE_DIGITS)}`
}

/** Undefined for a name of another form. */
export function parseArchiveName(name: string): ArchivedVersion | undefined {
  const match = SUFFIX.exec(name)
  if (match === null) return undefined
  const [, revision = '', flags = '', time = '', size = ''] = match
  return {
    key: name.slice(0, -SUFFIX_LENGTH),
    revision: Number.parseInt(revision, 16),
    isDeletion: (Number(flags) & 1) !== 0,
    isMinor: (Number(flags) & 2) !== 0,
    time: Number.parseInt(time, 16),
    size: Number.parseInt(size, 16),
  }
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}
