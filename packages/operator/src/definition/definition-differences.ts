// Describes what an update of a definition changes, for the log. Pure.

import { deepEqual, writeJson } from '@homeostat/meta'
import type { CustomResourceDefinition } from './definition-manifest.ts'
import { normalSpec } from './same-definition.ts'

/** Limit on differences in one log line. */
const MAX_SHOWN = 20

export function definitionDifferences(old: CustomResourceDefinition, now: CustomResourceDefinition): string[] {
  const found: string[] = []
  compare(textsOf(old), textsOf(now), '', (line) => found.push(line))
  compare(normalSpec(old), normalSpec(now), '', (line) => found.push(line))
  const left = found.length - MAX_SHOWN
  return left > 0 ? [...found.slice(0, MAX_SHOWN), `and ${left} more`] : found
}

function textsOf({ metadata }: CustomResourceDefinition): object {
  return { labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {} }
}

function compare(old: unknown, now: unknown, path: string, addLine: (line: string) => void): void {
  if (deepEqual(old, now)) return
  const [before, after] = [keyed(old), keyed(now)]
  if (before === undefined || after === undefined) {
    if (old === undefined) addLine(`${path} is new`)
    else if (now === undefined) addLine(`${path} goes`)
    else addLine(`${path} is ${writeJson(now)} and was ${writeJson(old)}`)
    return
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    compare(before[key], after[key], stepInto(path, key), addLine)
  }
}

/** Compares objects by field and versions by name; other lists are single values. */
function keyed(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return value as Readonly<Record<string, unknown>>
  if (!value.every((item) => typeof item?.name === 'string')) return undefined
  return Object.fromEntries(value.map((item) => [item.name, item]))
}

/** Levels of the schema that a path leaves out: `versions.v1.spec.host`. */
const LEVELS = new Set(['schema', 'openAPIV3Schema', 'properties'])

function stepInto(path: string, key: string): string {
  if (LEVELS.has(key)) return path
  return path === '' ? key : `${path}.${key}`
}
