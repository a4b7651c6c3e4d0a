// What a store holds while a migration copies into it: no server may start on it.

export const INCOMPLETE = {
  /** Where its key is among the kinds; the API serves no such kind. */
  storage: 'homeostat.io/migrations',
  key: 'homeostat.io/migrations/incomplete',
} as const
