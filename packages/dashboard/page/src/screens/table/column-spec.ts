// The columns that somebody chose, as the address has them: the server's by name, labels, and any field by its JSON path. Pure.

import { parseJsonPath } from '@homeostat/meta/json-path'

export type ColumnSpec =
  | { readonly from: 'server'; readonly name: string }
  | { readonly from: 'label'; readonly name: string }
  /** `.spec.replicas`, in the dialect of printer columns. */
  | { readonly from: 'field'; readonly name: string }

const LABEL = 'label:'

/** `undefined` stands for the columns that the server shows first, `all` for all of the server's. */
export function parseColumns(text: string | undefined): readonly ColumnSpec[] | 'all' | undefined {
  if (text === undefined || text === 'all') return text
  return splitList(text).map(specOf)
}

export function printColumns(specs: readonly ColumnSpec[]): string {
  return joinList(specs.map(textOf))
}

/** Why a field cannot be a column; undefined when it can. */
export function fieldProblem(path: string): string | undefined {
  if (!path.startsWith('.')) return 'A path begins with a dot, such as .spec.replicas.'
  try {
    parseJsonPath(path)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The paths that the rows need whole objects for. Wrong ones are left out: an address may hold anything. */
export function fieldPaths(text: string | undefined): string[] {
  const specs = parseColumns(text)
  if (specs === undefined || specs === 'all') return []
  return specs.flatMap(({ from, name }) => (from === 'field' && fieldProblem(name) === undefined ? [name] : []))
}

export function textOf({ from, name }: ColumnSpec): string {
  return from === 'label' ? `${LABEL}${name}` : name
}

function specOf(text: string): ColumnSpec {
  if (text.startsWith(LABEL)) return { from: 'label', name: text.slice(LABEL.length) }
  return { from: text.startsWith('.') ? 'field' : 'server', name: text }
}

/** A comma inside of an item is written as %2C, so that a list stays readable in an address. */
export function joinList(items: readonly string[]): string {
  return items.map((item) => item.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',')
}

export function splitList(text: string): string[] {
  const items = text.split(',').filter((item) => item !== '')
  return items.map((item) => item.replaceAll('%2C', ',').replaceAll('%25', '%'))
}
