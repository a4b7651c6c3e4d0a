// The ranges of revisions that were given out and then lost. Pure. A client whose revision lies inside one has seen objects
// that no longer exist, and must list again; other readers skip the range. Kept in the table `meta`.

import type { Revision } from '../contract.ts'

/** `after` is the last revision that was kept, `next` the one from which the counter went on. Neither is lost. */
export interface RevisionGap {
  readonly after: Revision
  readonly next: Revision
}

const MOST_GAPS = 64

/** The gap that the revision lies strictly inside of. */
export function gapAround(gaps: readonly RevisionGap[], revision: Revision): RevisionGap | undefined {
  return gaps.find(({ after, next }) => after < revision && revision < next)
}

/** Where reading goes on after this revision: at the end of the gap that begins with it, if one does. */
export function passGap(gaps: readonly RevisionGap[], revision: Revision): Revision {
  return gaps.find(({ after }) => after === revision)?.next ?? revision
}

/** Adds a gap. Those at or below the horizon are not needed; too many become fewer and larger from the oldest on. */
export function addGap(gaps: readonly RevisionGap[], gap: RevisionGap, horizon: Revision): RevisionGap[] {
  const kept = [...gaps.filter(({ next }) => next > horizon), gap]
  // Two losses without a write between them are one.
  const [last, before] = [kept.at(-1), kept.at(-2)]
  if (last !== undefined && before !== undefined && last.after <= before.next)
    kept.splice(-2, 2, { after: before.after, next: last.next })
  const [first, second] = kept
  if (kept.length > MOST_GAPS && first !== undefined && second !== undefined)
    kept.splice(0, 2, { after: first.after, next: second.next })
  return kept
}

export function encodeGaps(gaps: readonly RevisionGap[]): string {
  return JSON.stringify(gaps.map(({ after, next }) => [after, next]))
}

export function decodeGaps(text: unknown): RevisionGap[] {
  if (typeof text !== 'string') return []
  return (JSON.parse(text) as [number, number][]).map(([after, next]) => ({ after, next }))
}
