// Which deletion of the log is whose: answers to deletions name no revision, and several may ask for one. Pure: a matching in which each
// acknowledged deletion has one of its own, and each of the log somebody who may have made it, if there is such a matching.

import type { LogEntry } from '../../crash/checker.ts'

export interface Claim {
  readonly key: string
  /** It was sent when this revision was known, and so came after it. */
  readonly seen: number
  /** The token that it may remove; undefined: any. */
  readonly expected: string | undefined
  readonly isDone: boolean
}

interface Deletion {
  readonly revision: number
  readonly removed: LogEntry
  claim: number | undefined
}

/** The revision that each claim removed; 0 for one that removed nothing. */
export function claimDeletions(claims: readonly Claim[], log: readonly LogEntry[]): number[] {
  const deletions = deletionsIn(log)
  const made = claims.map((): number | undefined => undefined)
  const fits = ({ key, seen, expected }: Claim, { revision, removed }: Deletion) =>
    key === removed.key && revision > seen && (expected === undefined || expected === removed.token)
  const assign = (claim: number, deletion: number) => {
    made[claim] = deletion
    ;(deletions[deletion] as Deletion).claim = claim
  }
  /** Gives the claim a deletion, for which others may have to take another one. */
  const claimOne = (claim: number, tried: Set<number>): boolean =>
    deletions.some((deletion, index) => {
      if (tried.has(index) || !fits(claims[claim] as Claim, deletion)) return false
      tried.add(index)
      if (deletion.claim !== undefined && !claimOne(deletion.claim, tried)) return false
      assign(claim, index)
      return true
    })
  /** Finds who made the deletion; whoever has another one may leave it to a third. */
  const explainOne = (deletion: number, tried: Set<number>): boolean =>
    claims.some((claim, index) => {
      if (tried.has(index) || !fits(claim, deletions[deletion] as Deletion)) return false
      tried.add(index)
      const other = made[index]
      if (other !== undefined && !explainOne(other, tried)) return false
      assign(index, deletion)
      return true
    })
  for (const [index, { isDone }] of claims.entries()) if (isDone) claimOne(index, new Set())
  for (const [index, { claim }] of deletions.entries()) if (claim === undefined) explainOne(index, new Set())
  return made.map((index) => (index === undefined ? 0 : (deletions[index]?.removed.revision ?? 0)))
}

function deletionsIn(log: readonly LogEntry[]): Deletion[] {
  const held = new Map<string, LogEntry>()
  return log.flatMap((entry) => {
    const removed = held.get(entry.key)
    if (entry.token !== undefined) held.set(entry.key, entry)
    else held.delete(entry.key)
    return entry.token === undefined && removed !== undefined
      ? [{ revision: entry.revision, removed, claim: undefined }]
      : []
  })
}
