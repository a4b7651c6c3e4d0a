// A new object of a kind to begin with: what its schema requires, with defaults, and the rest to be completed. Pure.

import { isObject } from '@homeostat/meta'
import { apiVersionOf, type Kind } from '../../../kinds/kind.ts'
import type { KindSchema, Schema } from '../../../kinds/schema.ts'

const DEEPEST = 6

export function skeleton(kind: Kind, schema: KindSchema | undefined, namespace: string | undefined): object {
  const metadata = { name: '', ...(kind.namespaced && { namespace: namespace ?? 'default' }) }
  const head = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata }
  const spec = schema?.at(['spec'])
  if (schema === undefined || spec === undefined) return head
  return { ...head, spec: beginOf(spec, schema, 0) }
}

function beginOf(schema: Schema, of: KindSchema, depth: number): unknown {
  const { default: given, enum: values, type, properties = {}, required = [] } = of.resolve(schema)
  // An empty object as a default says that what is in it is filled in, but not what is required.
  const isEmpty = isObject(given) && Object.keys(given).length === 0
  if (given !== undefined && !(isEmpty && required.length > 0)) return given
  if (values !== undefined) return values[0]
  if (type === 'array') return []
  if (type === 'string') return ''
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return of.resolve(schema).minimum ?? 0
  if (depth > DEEPEST) return {}
  return Object.fromEntries(
    required.flatMap((name) => {
      const inner = properties[name]
      return inner === undefined ? [] : [[name, beginOf(inner, of, depth + 1)]]
    }),
  )
}
