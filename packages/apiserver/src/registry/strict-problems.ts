// What strict decoding finds in a body, in the words of Kubernetes: fields that the schema does not know, and fields
// that are there twice. decode-object.ts reports it as fieldValidation asks.

import type { JsonValue } from '@homeostat/meta'

/** Of custom resources, whose unknown fields are found by pruning what was decoded: sorted, and then what is there twice. */
export function customProblems(unknown: readonly string[], duplicates: readonly string[]): string[] {
  return [...[...unknown].sort().map(unknownField), ...duplicates.map(duplicateField)]
}

/**
 * Of built-in kinds, whose decoder meets both as it reads: in the order of the body, and nothing inside an unknown field.
 * `body` is what was sent, before anything was pruned.
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
    // A field's name may have dots of its own, so the longest that fits is meant.
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
