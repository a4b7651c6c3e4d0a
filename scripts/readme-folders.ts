// Checks the table of folders in a package's README: it names the folders that there are, in the order of import-rules.json, since
// the README says that a folder imports those above it.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rules } from './import-direction.ts'

export function checkReadmeFolders(root: string, rules: Rules): { problems: string[]; seen: string } {
  let tables = 0
  const problems = Object.entries(rules.folders).flatMap(([folder, { order = [] }]) => {
    const readme = `${folder}/README.md`
    if (!existsSync(join(root, readme))) return []
    const named = foldersIn(readFileSync(join(root, readme), 'utf8'))
    if (named.length === 0) return []
    tables++
    const places = order.filter((place) => !place.includes('.'))
    return tableProblems(named, places).map((problem) => `${readme}: ${problem}`)
  })
  if (tables === 0) problems.push('the checker saw no table of folders')
  return { problems, seen: `${tables} READMEs` }
}

/** What stands in the first column of the table whose first head is `folder`, without files. */
export function foldersIn(text: string): string[] {
  const [, table = ''] = /^\| folder \|.*\n\|[-| ]+\|\n((?:\|.*\n?)*)/m.exec(text) ?? []
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '')
  const names = cells.flatMap((cell) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\/$/, '')),
  )
  return names.filter((name) => !name.includes('.'))
}

export function tableProblems(named: readonly string[], order: readonly string[]): string[] {
  const missing = order
    .filter((folder) => !named.includes(folder))
    .map((folder) => `its table lacks the folder ${folder}`)
  const gone = named.filter((folder) => !order.includes(folder)).map((folder) => `there is no folder ${folder}`)
  const known = named.filter((folder) => order.includes(folder))
  const after = known.find((folder, i) => i > 0 && order.indexOf(folder) < order.indexOf(known[i - 1] ?? ''))
  const upward = after === undefined ? [] : [`${after} stands below a folder that comes after it in import-rules.json`]
  return [...missing, ...gone, ...upward]
}
