// A write that waits for its transaction, and the caller that waits for its outcome.

import type { Entry, Note, Value, WriteOutcome } from '../contract.ts'

export interface PendingWrite {
  readonly key: string
  /** Absent for a deletion. */
  readonly value: Value | undefined
  readonly expected: Entry | undefined
  readonly note: Note
  readonly resolve: (result: WriteOutcome) => void
}
