// Client-side `kubectl apply` keeps its last configuration in an annotation. When kubectl continues with server-side apply, it
// owns the fields of that configuration, and the server keeps the annotation up to date.

import { isObject } from '../json/is-object.ts'
import { readJson } from '../json/read-json.ts'
import { writeJson } from '../json/write-json.ts'
import type { MapType } from '../merge/merge-type.ts'
import type { KubeObject } from '../object/object.ts'
import { appliedFields } from './applied-fields.ts'
import { compareFields } from './compare-fields.ts'
import { difference, type FieldSet } from './field-set.ts'
import { sortTexts } from './text-order.ts'
import { setField } from './typed-value.ts'
import { configProblem } from './validate-config.ts'

export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const MOST_ANNOTATION_BYTES = 256 << 10

/** What the annotation of the live object says is kubectl's; undefined without a readable one. */
export function lastAppliedFields(live: KubeObject, apiVersion: string, type: MapType): FieldSet | undefined {
  const text = annotationOf(live)
  if (text === undefined) return undefined
  try {
    const last = readJson(text).value
    if (!isObject(last) || last.apiVersion !== apiVersion) return undefined
    if (configProblem(type, last) !== undefined || configProblem(type, live) !== undefined) return undefined
    const { changed, removed } = compareFields(type, last, live)
    return difference(difference(appliedFields(type, last), changed), removed)
  } catch {
    return undefined
  }
}

/** The object with the annotation set to the configuration; the object itself when it has none or the same. */
export function withLastApplied(object: KubeObject, config: KubeObject): KubeObject {
  const before = annotationOf(object)
  if (before === undefined) return object
  const text = `${sortedJson(withoutAnnotation(config))}\n`
  if (text === before) return object
  const annotations: Record<string, string> = { ...object.metadata.annotations, [LAST_APPLIED]: text }
  let bytes = 0
  for (const name in annotations) bytes += Buffer.byteLength(name) + Buffer.byteLength(annotations[name] ?? '')
  if (bytes > MOST_ANNOTATION_BYTES) delete annotations[LAST_APPLIED]
  return { ...object, metadata: { ...object.metadata, annotations } }
}

function annotationOf(object: KubeObject): string | undefined {
  const text: unknown = object.metadata.annotations?.[LAST_APPLIED]
  return typeof text === 'string' && text !== '' ? text : undefined
}

function withoutAnnotation(config: KubeObject): KubeObject {
  const { annotations } = config.metadata
  if (annotations?.[LAST_APPLIED] === undefined) return config
  const { [LAST_APPLIED]: _, ...others } = annotations
  return { ...config, metadata: { ...config.metadata, annotations: others } }
}

/** As Go writes JSON: keys in order, HTML escaped. */
function sortedJson(value: unknown): string {
  const text = writeJson(sorted(value))
  return text.replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const names = Object.keys(value)
  sortTexts(names)
  const out: Record<string, unknown> = {}
  for (const name of names) setField(out, name, sorted(value[name]))
  return out
}
