// The messages between the main thread and the threads that own SQLite connections.
// Batches of writes do not appear here: they go through shared memory, see pack.ts.

import type { Revision } from '../contract.ts'
import type { HistoryLimits } from '../history/limits.ts'
import type { LastingFiles } from './data-files.ts'
import type { WalSize } from './database.ts'
import type { FaultRule } from './fault.ts'
import type { FileState } from './format.ts'
import type { OnLoss } from './revision-guard.ts'
import type { CheckPosition, CheckStep } from './verify.ts'

export type ReadRequest =
  | { readonly type: 'get'; readonly key: string; readonly upto: Revision }
  | {
      readonly type: 'range'
      readonly prefix: string
      readonly after: string | undefined
      readonly revision: Revision
      readonly limit: number
      /** Values come with the digits of their revision in the gap. */
      readonly filled: boolean
    }
  | { readonly type: 'changes'; readonly after: Revision; readonly upto: Revision }
  | {
      readonly type: 'history'
      readonly key: string
      readonly upto: Revision
      /** Without minor changes. */
      readonly steps: boolean
      readonly limit: number | undefined
    }
  | { readonly type: 'backup'; readonly file: string }
  | { readonly type: 'checkpoint' }
  | { readonly type: 'check'; readonly position: CheckPosition }

/** A request that reads records of the log. */
export type LogRequest = Exclude<ReadRequest, { type: 'backup' | 'checkpoint' | 'check' }>

export type RangeRequest = Extract<ReadRequest, { type: 'range' }>

/** The request that a server starts with: all entries of one revision. */
export function everything(revision: Revision): RangeRequest {
  return { type: 'range', prefix: '', after: undefined, revision, limit: Number.MAX_SAFE_INTEGER, filled: true }
}

/** One bounded step of a read. */
export interface ReadAnswer {
  readonly page: ArrayBuffer
  /** range: there is nothing after this step. changes: `through` was reached. */
  readonly done: boolean
  /** range: the last key looked at, where the next step starts. */
  readonly lastKey?: string
  /** range: entries in the page. */
  readonly count?: number
  readonly through?: Revision
  /** The requested revision is below this horizon, so the page is empty. */
  readonly compacted?: Revision
  readonly wal?: WalSize
  readonly check?: CheckStep
}

export type ThreadRequest = { readonly id: number } & (
  | ReadRequest
  | { readonly type: 'horizon'; readonly revision: Revision }
  | { readonly type: 'compact' }
  | { readonly type: 'probe' }
  /** The reader's thread finished the checkpoint that was due, or (without a size) failed. */
  | { readonly type: 'checkpointed'; readonly wal: WalSize | undefined }
  | { readonly type: 'close' }
)

/** A batch too large for the shared memory brings its own. */
export interface LargeBatch {
  readonly type: 'batch'
  readonly memory: SharedArrayBuffer
  readonly count: number
}

export type BatchReply =
  /** Every write of the batch was committed; the number is the newest revision. */
  | number
  /** 0 for a conflict; `conflicts` has the current entries in the same order. */
  | { readonly type: 'written'; readonly revisions: readonly number[]; readonly conflicts: ArrayBuffer }
  /** None was committed, or (`unknown`) it is not known yet. */
  | { readonly type: 'failed'; readonly unknown: boolean; readonly reason: string }

export type ThreadReply =
  | BatchReply
  | ({ readonly type: 'ready'; readonly warnings: readonly string[] } & FileState)
  | { readonly type: 'cannot-open'; readonly reason: string }
  /** The file could be opened again after an I/O error. */
  | { readonly type: 'reopened'; readonly revision: Revision; readonly horizon: Revision }
  /** The reader's thread should checkpoint; the main thread then sends `checkpointed`. */
  | { readonly type: 'checkpoint-due' }
  | { readonly type: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: string }

export interface ThreadData {
  readonly role: 'writer' | 'reader'
  readonly file: string
  /** The identities of the files when the store was opened. */
  readonly lasting: LastingFiles
  readonly maxPages: number | undefined
  readonly checkpointPages: number
  readonly synchronous: 'FULL' | 'NORMAL'
  readonly fault: readonly FaultRule[]
  readonly history: HistoryLimits
  readonly onLoss: OnLoss
  /** The first request reads everything, so the thread reads ahead. */
  readonly willReadAll: boolean
  readonly control: SharedArrayBuffer
  readonly batch: SharedArrayBuffer
}

/** Slots of the control memory. */
export const SIGNAL = 0
export const BATCH_COUNT = 1
export const BATCH_MEMORY_BYTES = 256 * 1024
