// The options of a DELETE, read from its body or query. Controllers make their own.

export interface DeleteOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly propagationPolicy?: string
  /** The deprecated form of propagationPolicy: true is Orphan, false is Background. */
  readonly orphanDependents?: boolean
  readonly gracePeriodSeconds?: number
  readonly dryRun?: readonly string[]
}
