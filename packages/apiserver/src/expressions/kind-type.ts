// The type of a served kind's objects as expressions see it, made of the schema that is published: references are followed, and
// a type that contains itself ends where it does. Whoever checks a policy against the kinds that it takes calls it.

import { type CelType, schemaType } from '@homeostat/cel/without-compiler'
import { isObject } from '@homeostat/meta'

type Schema = Readonly<Record<string, unknown>>

/** The schema of a component, by its name. */
export type Components = (name: string) => Schema | undefined

const REFERENCE = '#/components/schemas/'
const METADATA = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** Undefined for a kind that nothing is known of. */
export function kindType(published: Schema, components: Components): CelType | undefined {
  const { properties } = published
  const text = { type: 'string' }
  const metadata = { $ref: REFERENCE + METADATA }
  const own = isObject(properties) ? properties : {}
  const whole = { ...published, type: 'object', properties: { ...own, apiVersion: text, kind: text, metadata } }
  return schemaType(resolved(whole, components, []), { resource: true })
}

function resolved(schema: Schema, components: Components, inside: readonly string[]): Schema {
  const reference = referenceOf(schema)
  if (reference !== undefined) {
    const target = inside.includes(reference) ? undefined : components(reference)
    return target === undefined ? {} : resolved(target, components, [...inside, reference])
  }
  const { properties, items, additionalProperties, oneOf, format, ...rest } = schema
  const below = (one: unknown) => (isObject(one) ? resolved(one as Schema, components, inside) : undefined)
  if (format === 'int-or-string') return { 'x-kubernetes-int-or-string': true }
  // A quantity is published as a text or a number, and read as a text.
  if (rest.type === undefined && Array.isArray(oneOf)) return { type: 'string' }
  return {
    ...rest,
    ...(format !== undefined && { format }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, below(one) ?? {}])),
    }),
    ...(isObject(items) && { items: below(items) }),
    ...(isObject(additionalProperties) && { additionalProperties: below(additionalProperties) }),
  }
}

/** A field with a text of its own wraps its reference. */
function referenceOf({ $ref, allOf }: Schema): string | undefined {
  if (typeof $ref === 'string' && $ref.startsWith(REFERENCE)) return $ref.slice(REFERENCE.length)
  const [only, ...others] = Array.isArray(allOf) ? allOf : []
  return isObject(only) && others.length === 0 ? referenceOf(only as Schema) : undefined
}
