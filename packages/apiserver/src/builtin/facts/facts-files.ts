// Reads the fact tables of the built-in kinds. scripts/facts/derive-kinds.ts writes resources and types; descriptions
// are written by hand. The small table of resources is read at every start, the types with their first use, the
// descriptions with the first request for OpenAPI.

import { readFileSync } from 'node:fs'
import { once } from '@homeostat/base'

/** One resource in one version, as discovery and tables show it. */
export interface ResourceRow {
  readonly group?: string
  readonly version: string
  readonly kind: string
  readonly resource: string
  /** Absent when it is the kind in lower case. */
  readonly singular?: string
  readonly namespaced?: true
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  /** Absent when the resource has all eight verbs. */
  readonly verbs?: readonly string[]
  readonly subresources?: Readonly<Record<string, SubresourceRow>>
  /** The name of the type of its objects. */
  readonly schema: string
  readonly message?: string
  /** Each is `name|type|format|priority` without default parts. */
  readonly columns?: readonly string[]
}

export interface SubresourceRow {
  readonly verbs: readonly string[]
  readonly answers?: { readonly group: string; readonly version: string; readonly kind: string }
}

const RESOURCES = new URL('../../../facts/resources.json', import.meta.url)
const SCHEMAS = new URL('../../../facts/schemas.json', import.meta.url)
const TEXTS = new URL('../../../facts/texts.json', import.meta.url)

export function readResourceRows(): readonly ResourceRow[] {
  return JSON.parse(readFileSync(RESOURCES, 'utf8')) as ResourceRow[]
}

/** The field lines of a type; undefined when the type is unknown. */
export function typeLines(name: string): readonly string[] | undefined {
  const types = readTypes()
  return Object.hasOwn(types, name) ? types[name] : undefined
}

const readTypes = once(() => JSON.parse(readFileSync(SCHEMAS, 'utf8')) as Readonly<Record<string, readonly string[]>>)

/** The descriptions of a type's fields by name; the empty name is the type itself. */
export function typeTexts(name: string): Readonly<Record<string, string>> {
  const texts = readTexts()
  return (Object.hasOwn(texts, name) && texts[name]) || NO_TEXTS
}

const readTexts = once(
  () => JSON.parse(readFileSync(TEXTS, 'utf8')) as Readonly<Record<string, Readonly<Record<string, string>>>>,
)
const NO_TEXTS: Readonly<Record<string, string>> = {}
