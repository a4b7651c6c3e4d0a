// Writes the fields of one type as lines, each `name type option...`. The server reads them back when it first needs
// the type; what the words mean is said there (packages/apiserver/src/builtin/facts/field-line.ts).

import type { Place } from './facts-folder.ts'
import goFields from './go-fields.json' with { type: 'json' }
import { referred, shortName } from './type-names.ts'

/** What OpenAPI cannot say, read off the Go types of the API. Each is a list of fields by type. */
type FieldLists = Readonly<Record<string, string>>
/** Pointers: a zero value that was sent stays, because it is not the same as none. */
const POINTERS: FieldLists = goFields.pointers
/** Written as null when there is no value. */
const NULLS: FieldLists = goFields.nulls
/** Numbers and quantities that are written as 0 when there is no value. */
const ZEROS: FieldLists = goFields.zeros
/** The published default is the zero value, and is left out of what is written. */
const UNWRITTEN: FieldLists = goFields.unwritten

/** Types that have a form of their own instead of fields. */
const FORMS: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'int-or-string',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'micro-time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'any',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'any',
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  'string byte': 'bytes',
  boolean: 'bool',
  'integer int32': 'int32',
  'integer int64': 'int64',
  'number double': 'double',
}

export interface CompactStruct {
  readonly lines: readonly string[]
  /** OpenAPI names of the types its fields have. */
  readonly references: readonly string[]
}

export function compactStruct(component: string, schema: Place): CompactStruct {
  const name = shortName(component)
  const references: string[] = []
  const lines = schema['x-kubernetes-map-type'] === 'atomic' ? ['@atomic'] : []
  for (const [field, place] of Object.entries(schema.properties ?? {}).sort(byName)) {
    const marks = marksOf(name, field, place)
    const required = schema.required?.includes(field) ? ['required'] : []
    const type = typeOf(place, references)
    lines.push([field, `${marks.pointer}${type}${marks.written}`, ...required, ...options(place, marks)].join(' '))
  }
  return { lines, references }
}

interface Marks {
  readonly pointer: '*' | ''
  /** `!`: always written, with its zero value; `~`: always written, null without a value. */
  readonly written: '!' | '~' | ''
  readonly unwritten: boolean
}

function marksOf(name: string, field: string, place: Place): Marks {
  const unwritten = listed(UNWRITTEN, name, field)
  const zero = isZero(place.default) && !unwritten
  return {
    pointer: listed(POINTERS, name, field) ? '*' : '',
    written: listed(NULLS, name, field) ? '~' : zero || listed(ZEROS, name, field) ? '!' : '',
    unwritten,
  }
}

function listed(lists: FieldLists, name: string, field: string): boolean {
  return (Object.hasOwn(lists, name) ? (lists[name] ?? '') : '').split(' ').includes(field)
}

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false || (typeof value === 'object' && value !== null)
}

function typeOf(place: Place, references: string[]): string {
  const reference = place.$ref ?? place.allOf?.[0]?.$ref
  if (reference !== undefined) {
    const component = referred(reference)
    if (Object.hasOwn(FORMS, component)) return FORMS[component] as string
    references.push(component)
    return shortName(component)
  }
  if (place.items) return `[]${typeOf(place.items, references)}`
  if (place.additionalProperties) return `{}${typeOf(place.additionalProperties, references)}`
  const scalar = SCALARS[[place.type, place.format].filter(Boolean).join(' ')]
  if (scalar === undefined) throw new Error(`no word for the type ${JSON.stringify(place)}`)
  return scalar
}

function options(place: Place, { unwritten, written }: Marks): string[] {
  const words: string[] = []
  if (place.default !== undefined && (unwritten || written !== '!')) {
    words.push(`${unwritten ? 'published' : 'default'}=${JSON.stringify(place.default)}`)
  }
  const list = place['x-kubernetes-list-type']
  const keys = place['x-kubernetes-list-map-keys'] as string[] | undefined
  if (list !== undefined) words.push(`list=${list}${keys ? `:${keys.join(',')}` : ''}`)
  const map = place['x-kubernetes-map-type']
  if (map !== undefined) words.push(String(map))
  const strategy = place['x-kubernetes-patch-strategy']
  if (strategy !== undefined) words.push(`patch=${strategy}`)
  const key = place['x-kubernetes-patch-merge-key']
  if (key !== undefined) words.push(`key=${key}`)
  const values = place.enum ?? place.items?.enum ?? place.additionalProperties?.enum
  // Words are separated by spaces.
  if (values) words.push(`enum=${values.join('|').replaceAll(' ', '%20')}`)
  return words
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1
}
