// How much of the past is kept below the horizon, and which kinds give first when it is too much. Drivers call it; pure.

/** Limits of history. Above the horizon every change is kept. */
export interface HistoryLimits {
  /** Older generations of a key. The current one is kept besides. */
  readonly perKey: number
  readonly ageMs: number
  /** Bytes in all. */
  readonly bytes: number
  /** Bytes of each kind. */
  readonly kindBytes: number
}

/** `group/resource`, the first two parts of a key; what there is of them in a shorter key. */
export function kindOfKey(key: string): string {
  const group = key.indexOf('/')
  if (group < 0) return ''
  const resource = key.indexOf('/', group + 1)
  return key.slice(0, resource < 0 ? group : resource)
}

/** Trimming goes below the limit, so that a busy kind is not looked through for every few bytes. */
const trimmed = (limit: number): number => limit - Math.ceil(limit / 8)

/**
 * The most bytes that any kind may keep; undefined while all of them are within the limits. When the sum is too much, the
 * largest kinds give until they are level, so that a busy kind never takes the history of the others.
 */
export function historyLevel(
  sizes: readonly number[],
  { bytes, kindBytes }: Pick<HistoryLimits, 'bytes' | 'kindBytes'>,
): number | undefined {
  const sorted = sizes.toSorted((a, b) => a - b)
  const isKindOver = (sorted.at(-1) ?? 0) > kindBytes
  const isSumOver = sorted.reduce((sum, size) => sum + size, 0) > bytes
  if (!isKindOver && !isSumOver) return undefined
  const perKind = isKindOver ? trimmed(kindBytes) : kindBytes
  return isSumOver ? Math.min(perKind, sharedLevel(sorted, trimmed(bytes))) : perKind
}

/** The level at which the sizes, each cut to it, fill the room. */
function sharedLevel(sorted: readonly number[], room: number): number {
  let left = room
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index)
    if (size > share) return Math.floor(share)
    left -= size
  }
  return room
}
