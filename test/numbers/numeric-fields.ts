// Every place of a published schema that takes a number, and objects that have a number there.

import type { Schema } from '../fuzz/schema-objects.ts'

/** A field's name; '[]' is any item of a list, '{}' any value of a map. */
export type Place = readonly string[]

type Named = Readonly<Record<string, Schema>>

/** Schemas that refer to themselves end here. */
const DEEPEST = 14

export function numericPlaces(schema: Schema, named: Named, place: Place = [], seen: readonly Schema[] = []): Place[] {
  const resolved = resolve(schema, named)
  if (resolved === undefined || seen.includes(resolved) || place.length > DEEPEST) return []
  if (isNumeric(resolved)) return [place]
  const inside = (step: string, inner: unknown) =>
    typeof inner === 'object' && inner !== null
      ? numericPlaces(inner as Schema, named, [...place, step], [...seen, resolved])
      : []
  return [
    ...Object.entries((resolved.properties ?? {}) as Named).flatMap(([name, inner]) => inside(name, inner)),
    ...inside('[]', resolved.items),
    ...inside('{}', resolved.additionalProperties),
  ]
}

function isNumeric({ type, format, 'x-kubernetes-int-or-string': either, oneOf }: Schema): boolean {
  if (type === 'integer' || type === 'number' || either === true || format === 'int-or-string') return true
  return Array.isArray(oneOf) && oneOf.some((one) => one.type === 'number' || one.type === 'integer')
}

function resolve(schema: Schema, named: Named): Schema | undefined {
  const [first] = (schema.allOf ?? []) as readonly Schema[]
  const ref = schema.$ref ?? first?.$ref
  return typeof ref === 'string' ? named[ref.slice(ref.lastIndexOf('/') + 1)] : schema
}

/** A copy of the object with the value at the place; lists and maps that have something there keep it. */
export function withValue(object: unknown, place: Place, value: unknown): unknown {
  const [step, ...rest] = place
  if (step === undefined) return value
  if (step === '[]') {
    const [item, ...others] = Array.isArray(object) ? object : []
    return [withValue(item, rest, value), ...others]
  }
  const fields = typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : {}
  const name = step === '{}' ? (Object.keys(fields)[0] ?? 'a') : step
  return { ...fields, [name]: withValue(fields[name], rest, value) }
}
