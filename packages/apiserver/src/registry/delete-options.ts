// What the client of a DELETE may say about it. Read from a body or a query; controllers make their own.

export interface DeleteOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly propagationPolicy?: string
  /** What propagationPolicy was called before: true is Orphan, false Background. */
  readonly orphanDependents?: boolean
  readonly gracePeriodSeconds?: number
  readonly dryRun?: readonly string[]
}
