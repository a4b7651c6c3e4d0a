// What the store asks of etcd, as values. The store is its only caller; `connect.ts` makes a client. Nothing here knows how a
// value, a note or a resourceVersion of the store looks.

import type { EtcdError } from './etcd-error.ts'

/**
 * A key of etcd. Keys are text here, sent as UTF-8. A `revision` is etcd's own, of the whole cluster, and not a resourceVersion.
 */
export interface KeyValue {
  readonly key: string
  /** A part of the response, which it keeps in memory; empty when only keys were asked for. */
  readonly value: Buffer
  readonly createRevision: number
  readonly modRevision: number
  /** How often the key was written since it was made. */
  readonly version: number
}

export interface RangeRequest {
  readonly key: string
  /** All keys from `key` up to this one, which is left out. Absent: the key alone. `endOfPrefix` makes one. */
  readonly end?: string | undefined
  /** Reads the state of that revision. Absent or 0: the newest. Compacted or future ones are an EtcdError. */
  readonly revision?: number | undefined
  /** Absent or 0: all of them, as long as they fit into `maxResponseBytes`. */
  readonly limit?: number | undefined
  /** Answers from what the member has, without asking the leader: it may be old. Default false: linearizable. */
  readonly serializable?: boolean | undefined
  readonly keysOnly?: boolean | undefined
  readonly countOnly?: boolean | undefined
}

export interface RangeResponse {
  /** The cluster's revision when it was answered, whatever revision was asked for. */
  readonly revision: number
  readonly kvs: readonly KeyValue[]
  /** There are more keys in the range than `limit`. */
  readonly more: boolean
  /** How many keys of the range there are, without the limit. */
  readonly count: number
}

/** True when the key's number is equal to (or above, below) `value`. An absent key has 0 everywhere. */
export interface Compare {
  readonly key: string
  readonly target: 'modRevision' | 'createRevision' | 'version'
  /** Default equal. */
  readonly result?: 'equal' | 'greater' | 'less' | undefined
  readonly value: number
}

export type Operation =
  /** The parts are stored as one value, one after the other: so a header needs no copy of what it precedes. */
  | { readonly type: 'put'; readonly key: string; readonly value: readonly Uint8Array[] }
  /** Deletes the key, or all keys up to `end`. */
  | { readonly type: 'delete'; readonly key: string; readonly end?: string | undefined }
  | ({ readonly type: 'range' } & RangeRequest)

export interface TxnRequest {
  readonly compare: readonly Compare[]
  /** Done, all of them in one revision, when all of `compare` hold; else `failure` is. */
  readonly success: readonly Operation[]
  readonly failure?: readonly Operation[] | undefined
}

export type OperationResponse =
  | { readonly type: 'put' }
  | { readonly type: 'delete'; readonly deleted: number }
  | ({ readonly type: 'range' } & RangeResponse)

export interface TxnResponse {
  readonly succeeded: boolean
  /** Of the transaction when it wrote something, else the cluster's when it was answered. */
  readonly revision: number
  /** One for each operation that was done, in their order. */
  readonly responses: readonly OperationResponse[]
}

export interface WatchRequest {
  readonly key: string
  readonly end?: string | undefined
  /** The first revision to deliver. */
  readonly from: number
  /** Delivers what a key held before, as far as it is not compacted. Costs the member a read per event. Default false. */
  readonly previous?: boolean | undefined
}

export interface WatchEvent {
  readonly type: 'put' | 'delete'
  /** Of a deletion only `key` and `modRevision` are set; its value is empty. */
  readonly kv: KeyValue
  readonly previous: KeyValue | undefined
}

export type WatchMessage =
  /** In order of revision. Events of one revision are never split over two messages: fragments are joined. */
  | { readonly type: 'events'; readonly revision: number; readonly events: readonly WatchEvent[] }
  /** Everything up to this revision has been delivered: an answer to `requestProgress`, or the member's own notice. */
  | { readonly type: 'progress'; readonly revision: number }

/**
 * One watch on one stream to one member. It ends by the caller's signal, or by throwing an EtcdError: `compacted` when
 * `from` is gone, with `compactRevision`, the oldest revision that can be watched from; else another watch from the revision after the last one delivered
 * goes on, on another member if this one is to blame. Reading slowly holds the member back, not memory.
 */
export interface EtcdWatch extends AsyncIterable<WatchMessage> {
  /** Resolves when the member has taken the watch up. */
  readonly created: Promise<void>
  /**
   * Asks for a progress message, which the member leaves out while the watch catches up with history: ask again after a while.
   * Its revision is at least that of every transaction that this member had applied when it was asked.
   */
  requestProgress(): void
}

export interface MemberStatus {
  readonly endpoint: string
  readonly version: string
  readonly memberId: string
  /** '0' when the member knows of none. */
  readonly leaderId: string
  readonly learner: boolean
  /** The size of the file, and how much of it is in use: the rest is fragmentation, which a defragmentation gives back. */
  readonly dbSize: number
  readonly dbSizeInUse: number
  /** 0 when the member does not say (3.5). */
  readonly dbSizeQuota: number
  /** What the member itself complains about. */
  readonly errors: readonly string[]
}

export interface Alarm {
  readonly memberId: string
  readonly type: 'NOSPACE' | 'CORRUPT' | 'other'
}

export interface Member {
  readonly id: string
  readonly name: string
  readonly clientUrls: readonly string[]
  readonly learner: boolean
}

/** What stands in the way, as calls and the connection's own checks found it. A problem is there until a call shows that it is not. */
export interface EtcdProblem {
  readonly kind: 'unreachable' | 'no-leader' | 'no-space' | 'denied' | 'learner' | 'corrupt'
  /** One line for an operator: which member, what it said, what to do. */
  readonly message: string
}

export interface EtcdHealth {
  /** The endpoint that is asked now; undefined while there is none. */
  readonly endpoint: string | undefined
  /** None: all is well. */
  readonly problems: readonly EtcdProblem[]
}

/** Counts since the client was made, for /metrics. */
export interface EtcdClientStats {
  readonly calls: number
  readonly failedCalls: number
  /** Connections that were made, all of them. */
  readonly dials: number
  readonly tokenRefreshes: number
  readonly bytesSent: number
  readonly bytesReceived: number
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** For the whole call, over all members that are asked. Default: twice `requestTimeoutMs`, which each of them has. */
  readonly timeoutMs?: number | undefined
}

/**
 * All calls go to one member, over one connection, pipelined; when it fails, to the next. Every rejection is an {@link EtcdError}.
 * A call that certainly did not reach a member, and one that only reads, is repeated at another member within its time. A txn that
 * may have been applied never is: that is the caller's to settle.
 */
export interface EtcdClient {
  range(request: RangeRequest, options?: CallOptions): Promise<RangeResponse>
  txn(request: TxnRequest, options?: CallOptions): Promise<TxnResponse>
  /** Drops history below the revision. What is compacted already is an EtcdError of kind `compacted`. */
  compact(revision: number, options?: CallOptions): Promise<void>
  watch(request: WatchRequest, signal: AbortSignal): EtcdWatch
  /** Of the member that is asked now. */
  status(options?: CallOptions): Promise<MemberStatus>
  alarms(options?: CallOptions): Promise<readonly Alarm[]>
  members(options?: CallOptions): Promise<readonly Member[]>
  health(): EtcdHealth
  stats(): EtcdClientStats
  /** Ends the connection and all calls on it. Safe to call twice. */
  close(): Promise<void>
}

/** The end of the range of all keys that start with the prefix. The prefix ends in a character of ASCII, such as `/`. */
export function endOfPrefix(prefix: string): string {
  const last = prefix.charCodeAt(prefix.length - 1)
  if (!(last < 0x7f)) throw new RangeError(`a prefix of keys must end in a character of ASCII, not as '${prefix}'`)
  return prefix.slice(0, -1) + String.fromCharCode(last + 1)
}
