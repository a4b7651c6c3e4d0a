// Decides when to checkpoint, that is, to move pages of the WAL into the data file, and on which thread. Pure: the writer
// thread calls it before it sleeps. A checkpoint costs two syncs, so it should follow a pause or move many pages at once. A
// commit should not wait for it, so under load the reader's thread does most of it and the writer finishes the rest.

export interface CheckpointLimits {
  /** Unmoved pages that are moved under load, at a time. */
  readonly stepPages: number
  /** Pages of a WAL that should begin anew: everything has to be moved for that, so that the writer does the last bit. */
  readonly longPages: number
  /** Pages of a WAL that begins anew now, however long the writer takes for it. */
  readonly mostPages: number
  /** What the writer moves between two commits without holding them up noticeably. */
  readonly littlePages: number
  /** A pause in writing, in which the writer has the time. */
  readonly quietMs: number
  /** What is worth moving in a pause: so many pages, or any that have been there for so long. */
  readonly quietPages: number
  readonly oldMs: number
}

export interface WalState {
  /** Pages in the WAL since it began anew, and those of them that the data file does not hold. */
  readonly pages: number
  readonly unmoved: number
  /** When the last and the oldest unmoved page were written. */
  readonly lastWriteAt: number
  readonly oldestAt: number
  /** The reader's thread is checkpointing. */
  readonly moving: boolean
  /** The last try moved nothing, because of a reader or an error; the next one is not before this. */
  readonly notBefore: number
}

export type CheckpointStep =
  /** Let the reader's thread checkpoint. */
  | { readonly do: 'move' }
  /** Move the rest on this thread, so that the WAL begins anew with the next commit. */
  | { readonly do: 'finish' }
  /** Sleep; without a time, until the next write. */
  | { readonly do: 'wait'; readonly ms: number }

const FOREVER: CheckpointStep = { do: 'wait', ms: Number.POSITIVE_INFINITY }

export function checkpointLimits(stepPages: number): CheckpointLimits {
  return {
    stepPages,
    longPages: 4 * stepPages,
    mostPages: 16 * stepPages,
    littlePages: Math.ceil(stepPages / 5),
    quietMs: 5000,
    quietPages: 64,
    oldMs: 60_000,
  }
}

export function planCheckpoint(limits: CheckpointLimits, wal: WalState, now: number): CheckpointStep {
  if (wal.unmoved === 0 || wal.moving) return FOREVER
  if (now < wal.notBefore) return { do: 'wait', ms: wal.notBefore - now }
  if (wal.pages >= limits.mostPages) return { do: 'finish' }
  if (wal.pages >= limits.longPages) return { do: wal.unmoved <= limits.littlePages ? 'finish' : 'move' }
  if (wal.unmoved >= limits.stepPages) return { do: 'move' }
  const quietAt = wal.lastWriteAt + limits.quietMs
  const dueAt = wal.unmoved >= limits.quietPages ? quietAt : Math.max(quietAt, wal.oldestAt + limits.oldMs)
  return now >= dueAt ? { do: 'finish' } : { do: 'wait', ms: dueAt - now }
}
