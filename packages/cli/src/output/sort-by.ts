// Sorts objects by a field for `--sort-by`, as kubectl does: numbers by their value, texts by their letters, and objects
// without the field first.

import { relaxedPath } from './json-path-template.ts'

export function sortedBy<T>(items: readonly T[], path: string, objectOf: (item: T) => unknown): T[] {
  const { find } = relaxedPath(path)
  const keyed = items.map((item) => ({ item, value: find(objectOf(item))[0] }))
  return keyed.toSorted((a, b) => compare(a.value, b.value)).map(({ item }) => item)
}

function compare(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}
