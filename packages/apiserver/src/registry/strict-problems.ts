// The problems that strict decoding finds in a body, worded as in Kubernetes: unknown and duplicate fields.
// decode-object.ts reports them as fieldValidation asks.

import type { JsonValue } from '@homeostat/meta'

/** For custom resources, where pruning finds unknown fields after decoding: these sorted, then duplicates. */
export function customProblems(unknown: readonly string[], duplicates: readonly string[]): string[] {
  return [...[...unknown].sort().map(unknownField), ...duplicates.map(duplicateField)]
}

/**
 * For built-in kinds, where the decoder finds both as it reads: in the order of the body, and nothing inside an unknown
 * field. `body` is the body before pruning.
 */
export function builtinProblems(unknown: readonly string[], duplicates: readonly string[], body: JsonValue): string[] {
  const twice = duplicates.filter((path) => !unknown.some((outer) => isWithin(path, outer)))
  if (twice.length === 0) return unknown.map(unknownField)
  const problems = [
    ...unknown.map((path) => ({ text: unknownField(path), place: placeOf(path, body) })),
    ...twice.map((path) => ({ text: duplicateField(path), place: placeOf(path, body) })),
  ]
  return problems.sort((a, b) => comparePlaces(a.place, b.place)).map(({ text }) => text)
}

function unknownField(path: string): string {
  return `unknown field "${path}"`
}

function duplicateField(path: string): string {
  return `duplicate field "${path}"`
}

function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && (path.length === outer.length || ['.', '['].includes(path.charAt(outer.length)))
}

/** The position among its siblings at every level of the path. */
function placeOf(path: string, body: JsonValue): number[] {
  const place: number[] = []
  let rest = path
  let value: JsonValue | undefined = body
  while (rest !== '' && value !== null && typeof value === 'object') {
    const names: string[] = Array.isArray(value) ? [/^\[\d+\]/.exec(rest)?.[0] ?? ''] : Object.keys(value)
    // A field name may contain dots, so the longest matching name is the right one.
    const fitting = names.filter((name) => isWithin(rest, name))
    const name = fitting.reduce((longest, one) => (one.length > longest.length ? one : longest), '')
    if (name === '') break
    place.push(Array.isArray(value) ? Number(name.slice(1, -1)) : names.indexOf(name))
    value = Array.isArray(value) ? value[place.at(-1) ?? 0] : value[name]
    rest = rest.slice(name.length).replace(/^\./, '')
  }
  return place
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (let level = 0; level < Math.min(a.length, b.length); level++) {
    const difference = (a[level] ?? 0) - (b[level] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
