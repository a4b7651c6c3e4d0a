// The times at which an unchanged resource is reconciled again. Pure. They follow from the uid alone, so that those of many
// resources are spread evenly and a restart needs no record of them.

import { hash32 } from '../queue/hash32.ts'

/** The first tick after the time, in ms since the epoch. */
export function tickAfter(uid: string, intervalMs: number, time: number): number {
  const offset = hash32(uid) % intervalMs
  return (Math.floor((time - offset) / intervalMs) + 1) * intervalMs + offset
}
