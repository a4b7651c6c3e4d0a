// What leaders of duties have written, against the Leases that they stood on. Two servers may both believe that they lead; of their
// writes only those count whose Lease had not moved, so that each leader decides on all that the leaders before it have decided.

/** A committed change that matters here, in the order of revisions. */
export type TermEntry =
  /** The duty's Lease was written: whoever stands on an earlier state of it has lost. */
  | { readonly type: 'lease'; readonly duty: string; readonly revision: number }
  /** A leader counted on from what it knew, and stood on the Lease as of `fence`. */
  | {
      readonly type: 'count'
      readonly duty: string
      readonly revision: number
      readonly fence: number
      readonly count: number
    }

export function checkTerms(log: readonly TermEntry[]): string[] {
  const leases = new Map<string, number>()
  const counts = new Map<string, number>()
  return log.flatMap((entry) => {
    const { duty, revision } = entry
    if (entry.type === 'lease') {
      leases.set(duty, revision)
      return []
    }
    const { fence, count } = entry
    const [lease, last] = [leases.get(duty), counts.get(duty) ?? 0]
    counts.set(duty, Math.max(last, count))
    return [
      ...(fence === lease
        ? []
        : [`fence: ${duty} wrote at ${revision} on its Lease of ${fence}, which was at ${lease}`]),
      ...(count === last + 1
        ? []
        : [`count: ${duty} went from ${last} to ${count} at ${revision}, on its Lease of ${fence}`]),
    ]
  })
}
