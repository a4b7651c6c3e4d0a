// Puts the result of a run into docs/api-compatibility.md, between two marks.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from './programs.ts'

interface Result {
  readonly steps?: readonly string[]
  readonly missing?: string
}

export type Results = Map<Program, Result>

const PAGE = join(import.meta.dirname, '../../docs/api-compatibility.md')
const BEGIN = '<!-- matrix: written by npm run clients -->'
const END = '<!-- end of matrix -->'

export function writeMatrix(results: Results): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before, rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the matrix`)
  writeFileSync(PAGE, `${before}${BEGIN}\n${tables(results)}\n${END}${after}`)
}

/** A table for each list of columns. */
function tables(results: Results): string {
  const rowsOf = Map.groupBy(results, ([{ columns }]) => columns)
  return [...rowsOf].map(([columns, rows]) => table(columns, rows)).join('\n\n')
}

function table(columns: readonly string[], rows: readonly [Program, Result][]): string {
  const lines = rows.map(
    ([program, result]) => `| ${program.name} | ${columns.map((step) => cell(step, program, result)).join(' | ')} |`,
  )
  return [`| client | ${columns.join(' | ')} |`, `|---|${columns.map(() => '---').join('|')}|`, ...lines].join('\n')
}

function cell(step: string, program: Program, { steps = [], missing }: Result): string {
  if (missing !== undefined) return 'not run'
  if (steps.includes(step)) return 'yes'
  return program.steps.includes(step) ? 'no' : ''
}
