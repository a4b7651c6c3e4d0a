// The one error that the etcd client rejects with. The store reads `kind` and `maybeApplied`, and never the message.

export type EtcdErrorKind =
  /** No member could be reached, or the connection broke. */
  | 'unreachable'
  /** No answer within the time of the call. */
  | 'timeout'
  /** The member knows of no leader, or lost it during the call. */
  | 'no-leader'
  /** The member does not vote yet, and does not serve. */
  | 'learner'
  /** The quota of the database is used up: the member only reads and deletes. */
  | 'no-space'
  /** The member's queue of proposals is full. */
  | 'overloaded'
  /** The request is longer than the members take. */
  | 'too-large'
  /** The answer is longer than `maxResponseBytes`. */
  | 'answer-too-large'
  | 'compacted'
  | 'future-revision'
  /** The user, the password, the certificate or the rights are not enough. */
  | 'denied'
  /** The cluster's version is below the floor. */
  | 'too-old'
  /** The caller's signal, or the client's end. */
  | 'aborted'
  /** What a member answered makes no sense. */
  | 'protocol'
  | 'other'

const BRAND = Symbol.for('homeostat.store.etcd-error')

export interface EtcdErrorDetails {
  /** The status of gRPC, if a member answered with one. */
  readonly grpcStatus?: number | undefined
  /** Whether what was asked for may have been, or may yet be, applied. False for everything that only reads. */
  readonly maybeApplied?: boolean | undefined
  readonly endpoint?: string | undefined
  /** Of a watch that was cancelled as `compacted`: the oldest revision that is still there. */
  readonly compactRevision?: number | undefined
  readonly cause?: unknown
}

export class EtcdError extends Error {
  override readonly name = 'EtcdError'
  readonly [BRAND] = true
  readonly kind: EtcdErrorKind
  readonly grpcStatus: number | undefined
  readonly maybeApplied: boolean
  readonly endpoint: string | undefined
  readonly compactRevision: number | undefined

  constructor(kind: EtcdErrorKind, message: string, details: EtcdErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.grpcStatus = details.grpcStatus
    this.maybeApplied = details.maybeApplied ?? false
    this.endpoint = details.endpoint
    this.compactRevision = details.compactRevision
  }
}

/** By a brand, not by its class: a program may hold two copies of this package. */
export function isEtcdError(error: unknown, kind?: EtcdErrorKind): error is EtcdError {
  if (typeof error !== 'object' || error === null || !(BRAND in error)) return false
  return kind === undefined || (error as EtcdError).kind === kind
}
