// A unified diff of two texts, as `diff -u` prints it: Myers' algorithm on lines, with three lines of context. Pure.

const CONTEXT = 3
/** With more differences than this the rest is shown as replaced: the search takes time and memory by their square. */
const MAX_DIFFERENCES = 1000

interface Edit {
  readonly kind: ' ' | '-' | '+'
  readonly line: string
}

/** Empty when the texts are equal. */
export function unifiedDiff(before: string, after: string, [from, to]: readonly [string, string]): string {
  if (before === after) return ''
  const edits = editsOf(linesOf(before), linesOf(after))
  return [`--- ${from}`, `+++ ${to}`, ...hunks(edits)].map((line) => `${line}\n`).join('')
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function editsOf(a: readonly string[], b: readonly string[]): Edit[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let [endA, endB] = [a.length, b.length]
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1
    endB -= 1
  }
  const kept = (lines: readonly string[]): Edit[] => lines.map((line) => ({ kind: ' ', line }))
  return [...kept(a.slice(0, start)), ...shortest(a.slice(start, endA), b.slice(start, endB)), ...kept(a.slice(endA))]
}

/** The fewest removals and additions that lead from one to the other. */
function shortest(a: readonly string[], b: readonly string[]): Edit[] {
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
  return [...a.map((line): Edit => ({ kind: '-', line })), ...b.map((line): Edit => ({ kind: '+', line }))]
}

function goesDown(reach: Int32Array, offset: number, k: number, d: number): boolean {
  return k === -d || (k !== d && at(reach, offset + k - 1) < at(reach, offset + k + 1))
}

function backtrack(a: readonly string[], b: readonly string[], trail: readonly Int32Array[], offset: number): Edit[] {
  const edits: Edit[] = []
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

/** Changes with their context; those whose contexts touch are one hunk. */
function hunks(edits: readonly Edit[]): string[] {
  const lines: string[] = []
  let [oldLine, newLine] = [1, 1]
  for (let next = 0; next < edits.length; ) {
    const change = edits.findIndex(({ kind }, index) => index >= next && kind !== ' ')
    if (change < 0) break
    const start = Math.max(next, change - CONTEXT)
    oldLine += start - next
    newLine += start - next
    const end = hunkEnd(edits, change)
    const hunk = edits.slice(start, end)
    const oldCount = hunk.filter(({ kind }) => kind !== '+').length
    const newCount = hunk.filter(({ kind }) => kind !== '-').length
    lines.push(`@@ -${range(oldLine, oldCount)} +${range(newLine, newCount)} @@`)
    lines.push(...hunk.map(({ kind, line }) => `${kind}${line}`))
    oldLine += oldCount
    newLine += newCount
    next = end
  }
  return lines
}

function hunkEnd(edits: readonly Edit[], change: number): number {
  let last = change
  for (let index = change; index < edits.length && index - last <= 2 * CONTEXT + 1; index++) {
    if (edits[index]?.kind !== ' ') last = index
  }
  return Math.min(edits.length, last + CONTEXT + 1)
}

/** `diff` leaves a count of one out, and names the line before an empty range. */
function range(line: number, count: number): string {
  if (count === 1) return `${line}`
  return `${count === 0 ? line - 1 : line},${count}`
}
