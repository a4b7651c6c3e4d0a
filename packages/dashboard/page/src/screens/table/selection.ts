// Which rows are marked, and which one the keyboard is at. Pure: rows are known by uid, so that they keep their mark when others come.

export interface Selection {
  readonly marked: ReadonlySet<string>
  /** The row of the keyboard. */
  readonly at: string | undefined
  /** Where a range begins. */
  readonly anchor: string | undefined
}

export const NOTHING: Selection = { marked: new Set(), at: undefined, anchor: undefined }

export function moved(before: Selection, uids: readonly string[], by: number, extend = false): Selection {
  if (uids.length === 0) return before
  const from = before.at === undefined ? -1 : uids.indexOf(before.at)
  const to = from < 0 ? (by > 0 ? 0 : uids.length - 1) : Math.max(0, Math.min(uids.length - 1, from + by))
  const at = uids[to]
  if (!extend) return { ...before, at, anchor: at }
  const anchor = before.anchor ?? before.at ?? at
  return { marked: union(before.marked, between(uids, anchor, at)), at, anchor }
}

export function toggled(before: Selection, uid: string): Selection {
  const marked = new Set(before.marked)
  if (!marked.delete(uid)) marked.add(uid)
  return { marked, at: uid, anchor: uid }
}

/** Everything from the last row that was marked to this one. */
export function extended(before: Selection, uids: readonly string[], uid: string): Selection {
  return {
    marked: union(before.marked, between(uids, before.anchor ?? uid, uid)),
    at: uid,
    anchor: before.anchor ?? uid,
  }
}

/** All that are shown, or none when all are marked already. */
export function allToggled(before: Selection, uids: readonly string[]): Selection {
  const all = uids.length > 0 && uids.every((uid) => before.marked.has(uid))
  return { ...before, marked: all ? new Set() : new Set(uids) }
}

function between(uids: readonly string[], one: string | undefined, other: string | undefined): readonly string[] {
  const places = [uids.indexOf(one ?? ''), uids.indexOf(other ?? '')].filter((place) => place >= 0)
  return places.length === 0 ? [] : uids.slice(Math.min(...places), Math.max(...places) + 1)
}

function union(marked: ReadonlySet<string>, more: readonly string[]): ReadonlySet<string> {
  return new Set([...marked, ...more])
}
