// The fewest lines that are removed and added to make one text of another: Myers' algorithm. Pure.

/** With more differences than this the rest is shown as replaced: the search takes time and memory by their square. */
const MAX_DIFFERENCES = 1000

export interface LineEdit {
  readonly kind: ' ' | '-' | '+'
  readonly line: string
}

/** All lines of both, those that stay as well. */
export function lineEdits(before: string, after: string): LineEdit[] {
  return editsOf(linesOf(before), linesOf(after))
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function editsOf(a: readonly string[], b: readonly string[]): LineEdit[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let [endA, endB] = [a.length, b.length]
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1
    endB -= 1
  }
  const kept = (lines: readonly string[]): LineEdit[] => lines.map((line) => ({ kind: ' ', line }))
  return [...kept(a.slice(0, start)), ...shortest(a.slice(start, endA), b.slice(start, endB)), ...kept(a.slice(endA))]
}

/** The fewest removals and additions that lead from one to the other. */
function shortest(a: readonly string[], b: readonly string[]): LineEdit[] {
  const trail: Int32Array[] = []
  const limit = Math.min(a.length + b.length, MAX_DIFFERENCES)
  const offset = limit + 1
  // How far along a the paths with d differences come on each diagonal k = x - y.
  const reach = new Int32Array(2 * limit + 3)
  for (let d = 0; d <= limit; d++) {
    trail.push(reach.slice())
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(reach, offset, k, d) ? at(reach, offset + k + 1) : at(reach, offset + k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1
      reach[offset + k] = x
      if (x >= a.length && x - k >= b.length) return backtrack(a, b, trail, offset)
    }
  }
  return [...a.map((line): LineEdit => ({ kind: '-', line })), ...b.map((line): LineEdit => ({ kind: '+', line }))]
}

function goesDown(reach: Int32Array, offset: number, k: number, d: number): boolean {
  return k === -d || (k !== d && at(reach, offset + k - 1) < at(reach, offset + k + 1))
}

function backtrack(
  a: readonly string[],
  b: readonly string[],
  trail: readonly Int32Array[],
  offset: number,
): LineEdit[] {
  const edits: LineEdit[] = []
  let [x, y] = [a.length, b.length]
  for (let d = trail.length - 1; d >= 0; d--) {
    const reach = trail[d] as Int32Array
    const k = x - y
    const isDown = goesDown(reach, offset, k, d)
    const beforeX = d === 0 ? 0 : at(reach, offset + (isDown ? k + 1 : k - 1))
    const beforeY = d === 0 ? 0 : beforeX - (isDown ? k + 1 : k - 1)
    while (x > beforeX && y > beforeY) {
      x -= 1
      y -= 1
      edits.push({ kind: ' ', line: a[x] ?? '' })
    }
    if (d === 0) break
    edits.push(isDown ? { kind: '+', line: b[beforeY] ?? '' } : { kind: '-', line: a[beforeX] ?? '' })
    x = beforeX
    y = beforeY
  }
  return edits.reverse()
}

function at(reach: Int32Array, index: number): number {
  return reach[index] ?? 0
}
