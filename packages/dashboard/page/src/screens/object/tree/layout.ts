// Where the boxes of a tree stand: owners to the left, each beside the middle of what it owns. Pure, and without recursion, since a tree
// may be as deep as somebody makes it.

export const BOX = { width: 220, height: 44 } as const
const COLUMN = BOX.width + 60
const ROW = BOX.height + 10

/** `parents[i]` is the place of the parent of box `i`, which is before it, or -1. Gives x and y of each, in turns. */
export function layoutTree(parents: ArrayLike<number>): Float64Array {
  const count = parents.length
  const children = Array.from({ length: count }, (): number[] => [])
  const tops: number[] = []
  const places = new Float64Array(2 * count)
  for (let at = 0; at < count; at++) {
    const parent = parents[at] ?? -1
    const siblings = parent < 0 ? tops : children[parent]
    siblings?.push(at)
    places[2 * at] = parent < 0 ? 0 : (places[2 * parent] ?? 0) + COLUMN
  }
  let row = 0
  // Leaves from top to bottom; what has children waits for them.
  const waiting = tops.toReversed()
  const order: number[] = []
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    order.push(at)
    const below = children[at] ?? []
    if (below.length === 0) places[2 * at + 1] = row++ * ROW
    else waiting.push(...below.toReversed())
  }
  for (const at of order.toReversed()) {
    const below = children[at] ?? []
    const [first, last] = [below[0], below.at(-1)]
    if (first === undefined || last === undefined) continue
    places[2 * at + 1] = ((places[2 * first + 1] ?? 0) + (places[2 * last + 1] ?? 0)) / 2
  }
  return places
}
