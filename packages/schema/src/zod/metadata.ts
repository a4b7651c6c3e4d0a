// What .describe() and .meta() say: texts for `kubectl explain`, extensions of the schema, and marks that become columns,
// selectable fields and the scale subresource of a definition.

import { isObject } from '@homeostat/meta'
import { type JsonSchema, stringOf } from '../json-schema.ts'
import type { Place, ScalePaths, Walk } from './walk.ts'

/** The columns of `kubectl get`. */
export interface ColumnMeta {
  /** Default: the field's name in words. */
  name?: string
  /** Default: what the schema says. */
  type?: 'integer' | 'number' | 'string' | 'boolean' | 'date'
  /** Above 0: only with `-o wide`. */
  priority?: number
  /** Default: the field itself. */
  jsonPath?: string
  format?: string
  description?: string
}

declare module 'zod' {
  interface GlobalMeta {
    /** Shown by `kubectl get`. */
    column?: true | ColumnMeta
    /** Lists and watches can be narrowed to a value of it: `--field-selector spec.host=…`. */
    selectable?: boolean
    /** Makes the field part of the scale subresource. */
    scale?: 'specReplicas' | 'statusReplicas' | 'selector'
    /** How many keys a record may have, checked by the server. */
    maxProperties?: number
    minProperties?: number
  }
}

const passed = new Set(['title', 'minProperties', 'maxProperties'])
const scales: Readonly<Record<string, keyof ScalePaths>> = {
  specReplicas: 'specReplicasPath',
  statusReplicas: 'statusReplicasPath',
  selector: 'labelSelectorPath',
}

const marked = ['column', 'selectable', 'scale', 'deprecated', 'description', 'examples', ...passed]

/** Zod accepts any key, and other tools have their own: only a key that is nearly one of these is a typo. */
function refuseMisspelt(walk: Walk, meta: Readonly<Record<string, unknown>>, place: Place): void {
  for (const key of Object.keys(meta)) {
    if (marked.includes(key)) continue
    const meant = marked.find((one) => isAlmost(key.toLowerCase(), one.toLowerCase()))
    if (meant !== undefined) walk.problem(place, `.meta({ ${key} }) has no meaning: did you mean ${meant}?`)
  }
}

/** One letter is missing, too many, another, or two are swapped. */
function isAlmost(text: string, wanted: string): boolean {
  if (Math.abs(text.length - wanted.length) > 1) return false
  let start = 0
  while (start < text.length && text[start] === wanted[start]) start++
  const [rest, right] = [text.slice(start), wanted.slice(start)]
  const swapped = `${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`
  return rest.slice(1) === right || rest === right.slice(1) || rest.slice(1) === right.slice(1) || swapped === right
}

export function applyMetadata(
  walk: Walk,
  node: JsonSchema,
  meta: Readonly<Record<string, unknown>>,
  place: Place,
): JsonSchema {
  refuseMisspelt(walk, meta, place)
  const result: JsonSchema = { ...node }
  for (const [key, value] of Object.entries(meta)) {
    if (passed.has(key) || key.startsWith('x-kubernetes-')) result[key] = value
  }
  const description = describe(meta)
  if (description !== undefined) result.description = description
  const { examples } = meta
  if (Array.isArray(examples) && examples.length > 0) result.example = examples[0]
  marks(walk, result, meta, place)
  return result
}

function describe(meta: Readonly<Record<string, unknown>>): string | undefined {
  const text = stringOf(meta.description)
  if (meta.deprecated !== true) return text === '' ? undefined : text
  return text === '' ? 'Deprecated.' : `Deprecated. ${text}`
}

function marks(walk: Walk, node: JsonSchema, meta: Readonly<Record<string, unknown>>, place: Place): void {
  const { column, selectable, scale } = meta
  const lost = (what: string) =>
    walk.problem(place, `${what} cannot be inside a list or a map, where no path leads to one value`)
  if (column === true || isObject(column)) addColumn(walk, node, column === true ? {} : column, place, lost)
  if (selectable === true) {
    if (place.jsonPath === undefined) lost('a selectable field')
    else if (!['string', 'integer', 'boolean'].includes(stringOf(node.type)) || place.jsonPath.includes('[')) {
      walk.problem(place, 'only strings, whole numbers and booleans with a simple name can be selectable')
    } else walk.selectable(place.jsonPath)
  }
  const part = scales[stringOf(scale)]
  if (scale === undefined) return
  if (part === undefined) walk.problem(place, `scale has to be one of ${Object.keys(scales).join(', ')}`)
  else if (place.jsonPath === undefined) lost('a field of scale')
  else walk.scale(part, place.jsonPath)
}

function addColumn(walk: Walk, node: JsonSchema, column: ColumnMeta, place: Place, lost: (what: string) => void): void {
  const jsonPath = column.jsonPath ?? place.jsonPath
  if (jsonPath === undefined) {
    lost('a column without jsonPath')
    return
  }
  const description = column.description ?? stringOf(node.description)
  walk.column({
    name: column.name ?? inWords(place.path),
    type: column.type ?? columnType(node),
    jsonPath,
    ...(column.format !== undefined && { format: column.format }),
    ...(description !== '' && { description }),
    ...(column.priority !== undefined && { priority: column.priority }),
  })
}

function columnType(node: JsonSchema): string {
  if (node.type === 'string' && (node.format === 'date-time' || node.format === 'date')) return 'date'
  return ['integer', 'number', 'boolean'].includes(stringOf(node.type)) ? stringOf(node.type) : 'string'
}

/** `spec.readyReplicas` is `Ready Replicas`. */
function inWords(path: string): string {
  const name = path.split('.').at(-1) ?? path
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
  return words.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}
