// How much of chance a test tries: a third at a desk, where a person waits, and everything on continuous integration, which sets
// HOMEOSTAT_ALL_TRIES=1. For kills, random runs and tables of many alike cases; never for what only one case shows.

/** Whether this run tries everything. */
export const ALL_TRIES = process.env.HOMEOSTAT_ALL_TRIES === '1'

export function tries(all: number): number {
  return ALL_TRIES ? all : Math.ceil(all / 3)
}
