// A unified diff of two texts, as `diff -u` prints it, with three lines of context. Pure.

import { type LineEdit, lineEdits } from '@homeostat/meta/history'

const CONTEXT = 3
/** Empty when the texts are equal. */
export function unifiedDiff(before: string, after: string, [from, to]: readonly [string, string]): string {
  if (before === after) return ''
  const edits = lineEdits(before, after)
  return [`--- ${from}`, `+++ ${to}`, ...hunks(edits)].map((line) => `${line}\n`).join('')
}

/** Changes with their context; those whose contexts touch are one hunk. */
function hunks(edits: readonly LineEdit[]): string[] {
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

function hunkEnd(edits: readonly LineEdit[], change: number): number {
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
