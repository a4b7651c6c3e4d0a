// What `homeostat wait --for` waits for, and whether an object meets it. Pure.

import type { ApiObject } from '@homeostat/client'
import type { JsonPath } from '@homeostat/meta/json-path'
import { Fault } from '../../fault.ts'
import { conditionOf } from '../../output/cells.ts'
import { pathOf } from '../../output/json-path-template.ts'

export type Awaited =
  | { readonly kind: 'create' | 'delete' }
  | { readonly kind: 'condition'; readonly type: string; readonly status: string }
  | { readonly kind: 'jsonpath'; readonly path: JsonPath; readonly value: string | undefined }

/** Throws a Fault as kubectl words it. */
export function awaitedOf(text: string): Awaited {
  const lower = text.toLowerCase()
  if (lower === 'create' || lower === 'delete') return { kind: lower }
  const [, type, status = 'True'] = /^condition=([^=]+)(?:=(.*))?$/s.exec(text) ?? []
  if (type !== undefined) return { kind: 'condition', type, status }
  const [, path, , value] = /^jsonpath=(\{.*\}|[^={]*)(=(.*))?$/s.exec(text) ?? []
  if (path !== undefined) return { kind: 'jsonpath', path: pathOf(path).path, value }
  throw new Fault(`unrecognized condition: "${text}"`)
}

export function isMetBy(awaited: Awaited, object: ApiObject | undefined): boolean {
  if (object === undefined) return awaited.kind === 'delete'
  switch (awaited.kind) {
    case 'delete':
      return false
    case 'create':
      return true
    case 'jsonpath':
      return meetsPath(awaited, object)
    case 'condition':
      return meetsCondition(awaited, object)
  }
}

function meetsCondition(awaited: { readonly type: string; readonly status: string }, object: ApiObject): boolean {
  const type = conditionTypes(object).find((one) => one.toLowerCase() === awaited.type.toLowerCase())
  const condition = type === undefined ? undefined : conditionOf(object, type)
  if (condition === undefined || condition.status?.toLowerCase() !== awaited.status.toLowerCase()) return false
  // A condition about an older generation says nothing about this one.
  const { status } = object as { status?: { observedGeneration?: unknown } }
  const observed = condition.observedGeneration ?? status?.observedGeneration
  return typeof observed !== 'number' || observed >= (object.metadata.generation ?? 0)
}

function conditionTypes(object: ApiObject): string[] {
  const { conditions } = (object as { status?: { conditions?: unknown } }).status ?? {}
  if (!Array.isArray(conditions)) return []
  return conditions.flatMap((one: { type?: unknown } | null) => (typeof one?.type === 'string' ? [one.type] : []))
}

/** One plain value, which is the awaited one if one was said. */
function meetsPath({ path, value }: { path: JsonPath; value: string | undefined }, object: ApiObject): boolean {
  const [found, ...more] = path.find(object)
  if (found === undefined || more.length > 0) return false
  if (value === undefined) return true
  return typeof found !== 'object' && String(found) === value
}
