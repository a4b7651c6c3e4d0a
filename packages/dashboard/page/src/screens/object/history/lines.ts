// What differs between two texts as a person reads it: the lines that changed, with a few around them. Pure.

import { lineEdits } from '@homeostat/meta/history'

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  readonly text: string
}

const CONTEXT = 3
const KINDS = { ' ': 'same', '-': 'removed', '+': 'added' } as const

/** Empty for equal texts. */
export function diffLines(before: string, after: string): DiffLine[] {
  if (before === after) return []
  return withContext(lineEdits(before, after).map(({ kind, line }) => ({ kind: KINDS[kind], text: line })))
}

function withContext(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Uint8Array(lines.length)
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same') near.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1)
  }
  const shown: DiffLine[] = []
  let left = 0
  for (const [index, line] of lines.entries()) {
    if (near[index] === 0) {
      left += 1
      continue
    }
    if (left > 0) shown.push(gap(left))
    left = 0
    shown.push(line)
  }
  return left > 0 ? [...shown, gap(left)] : shown
}

function gap(count: number): DiffLine {
  return { kind: 'gap', text: `${count} ${count === 1 ? 'line' : 'lines'} as before` }
}
