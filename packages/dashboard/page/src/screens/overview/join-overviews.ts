// The overviews of several namespaces as one. Pure.

export interface OverviewCount {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly count: number
  readonly notReady: number
}

export interface NotReady {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly uid: string
  readonly reason: string
  readonly message: string
  readonly since?: string
}

export interface OverviewAnswer {
  readonly counts: readonly OverviewCount[]
  readonly notReadyCount: number
  /** The newest of them. */
  readonly notReady: readonly NotReady[]
}

const MOST_NAMED = 100

/** What has no namespace is counted in each of the answers, and once here. */
export function joinOverviews(
  answers: readonly OverviewAnswer[],
  isNamespaced: (count: OverviewCount) => boolean,
): OverviewAnswer {
  const [only, ...others] = answers
  if (only !== undefined && others.length === 0) return only
  const counts = new Map<string, OverviewCount>()
  for (const count of answers.flatMap((answer) => answer.counts)) {
    const key = `${count.group}/${count.resource}`
    const before = counts.get(key)
    if (before === undefined) counts.set(key, count)
    else if (isNamespaced(count))
      counts.set(key, { ...count, count: before.count + count.count, notReady: before.notReady + count.notReady })
  }
  const named = new Map(answers.flatMap(({ notReady }) => notReady).map((one) => [one.uid, one]))
  const newest = [...named.values()].sort((a, b) => ((a.since ?? '') < (b.since ?? '') ? 1 : -1))
  const joined = [...counts.values()]
  return {
    counts: joined,
    notReadyCount: joined.reduce((sum, { notReady }) => sum + notReady, 0),
    notReady: newest.slice(0, MOST_NAMED),
  }
}
