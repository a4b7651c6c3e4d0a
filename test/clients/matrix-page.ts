// Puts the result of a run into docs/api-compatibility.md, between two marks.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { STEPS } from './programs.ts'

export type Results = Map<string, { readonly steps?: readonly string[]; readonly missing?: string }>

const PAGE = join(import.meta.dirname, '../../docs/api-compatibility.md')
const BEGIN = '<!-- matrix: written by npm run clients -->'
const END = '<!-- end of matrix -->'

export function writeMatrix(results: Results): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before, rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the matrix`)
  writeFileSync(PAGE, `${before}${BEGIN}\n${table(results)}\n${END}${after}`)
}

function table(results: Results): string {
  const rows = [...results].map(([name, { steps = [], missing }]) => {
    const cells = STEPS.map((step) => (missing ? 'not run' : steps.includes(step) ? 'yes' : cellFor(name, step)))
    return `| ${name} | ${cells.join(' | ')} |`
  })
  return [`| client | ${STEPS.join(' | ')} |`, `|---|${STEPS.map(() => '---').join('|')}|`, ...rows].join('\n')
}

function cellFor(name: string, step: string): string {
  return name.startsWith('kubectl') && step === 'election' ? '' : 'no'
}
