// Normalises objects of built-in kinds like Kubernetes' typed decoder and encoder: drops nulls and zero values without
// meaning, gives times, bytes and quantities their canonical form, and writes some absent fields as null. It is
// compiled from a schema once; the strategy of built-in kinds uses it for every write.

import { canonicalQuantity, isObject, parseRfc3339, rfc3339, rfc3339Micro } from '@homeostat/meta'
import { type Cause, invalidValue, typeInvalid } from '@homeostat/meta/server'
import type { JsonSchema } from '@homeostat/schema'
import { type Fields, fieldsOf } from './fields-of.ts'

export interface WireFormat {
  /** Causes for quantities and micro-times that cannot be decoded; the schema's own decoding finds the rest. */
  errors(object: Fields): Cause[]
  /** Drops values without meaning and canonicalises all others in place. */
  normalise(object: Fields): void
  /** Adds the nulls of absent fields. Runs after all defaults are filled in. */
  complete(object: Fields): void
}

/** What is of interest at one place of a schema. */
interface Place {
  form: Form | undefined
  items: Place | undefined
  values: Place | undefined
  fields: Map<string, Field> | undefined
  /** Fields that are written as null when they are absent. */
  nulls: string[] | undefined
}

interface Field {
  readonly place: Place
  readonly nullable: boolean
  readonly omitZero: boolean
}

/**
 * The formats of the schemas of one server. Places of shared schemas are shared, and a schema that contains itself is a place
 * that does: the nine kinds with pod templates read the pod's schema once, which their first writes gain by.
 */
export class WireFormats {
  readonly #places = new Map<JsonSchema, Place>()
  /** The fields of structs are shared by all places that have the struct. */
  readonly #structs = new Map<Fields, Map<string, Field>>()

  of(schema: JsonSchema): WireFormat {
    const place = this.#placeOf(schema)
    const strict = reaches(place, (one) => one.form !== undefined && STRICT.has(one.form), new Set())
    const nulls = reaches(place, (one) => one.nulls !== undefined, new Set())
    return {
      errors(object) {
        const causes: Cause[] = []
        if (strict) collectErrors(object, place, '', causes)
        return causes
      },
      normalise: (object) => void normalise(object, place),
      complete(object) {
        if (nulls) complete(object, place)
      },
    }
  }

  #placeOf(schema: JsonSchema): Place {
    const known = this.#places.get(schema)
    if (known) return known
    const form = typeof schema.format === 'string' ? FORMS[schema.format] : undefined
    const place: Place = { form, items: undefined, values: undefined, fields: undefined, nulls: undefined }
    this.#places.set(schema, place)
    // Anything at all is kept as it came.
    if (schema['x-kubernetes-preserve-unknown-fields'] === true) return place
    if (isObject(schema.items)) place.items = this.#placeOf(schema.items)
    if (isObject(schema.additionalProperties)) place.values = this.#placeOf(schema.additionalProperties)
    if (isObject(schema.properties)) place.fields = this.#fieldsIn(schema.properties)
    const nulls = Object.entries(fieldsOf(schema.properties)).filter(
      ([, field]) => fieldsOf(field).writtenAsNull === true,
    )
    if (nulls.length > 0) place.nulls = nulls.map(([name]) => name)
    return place
  }

  #fieldsIn(properties: Fields): Map<string, Field> {
    const known = this.#structs.get(properties)
    if (known) return known
    const fields = new Map<string, Field>()
    this.#structs.set(properties, fields)
    for (const [name, property] of Object.entries(properties)) {
      const schema = fieldsOf(property)
      fields.set(name, {
        place: this.#placeOf(schema),
        nullable: schema.nullable === true,
        omitZero: schema.omitZero === true,
      })
    }
    return fields
  }
}

function reaches(place: Place, wanted: (place: Place) => boolean, seen: Set<Place>): boolean {
  if (seen.has(place)) return false
  seen.add(place)
  if (wanted(place)) return true
  if (place.items && reaches(place.items, wanted, seen)) return true
  if (place.values && reaches(place.values, wanted, seen)) return true
  for (const field of place.fields?.values() ?? []) if (reaches(field.place, wanted, seen)) return true
  return false
}

function normalise(value: unknown, place: Place): unknown {
  if (typeof value !== 'object' || value === null) return place.form?.(value) ?? value
  if (Array.isArray(value)) {
    const { items } = place
    if (items) for (let i = 0; i < value.length; i++) value[i] = normalise(value[i], items)
    return value
  }
  const { fields, values } = place
  const object = value as Fields
  if (fields === undefined && values === undefined) return value
  for (const name in object) {
    const field = fields?.get(name)
    const inner = object[name]
    if (field === undefined) {
      if (values) object[name] = normalise(inner, values)
    } else if (inner === null) {
      if (!field.nullable) delete object[name]
    } else if (field.omitZero && isZero(inner, field.place)) delete object[name]
    else object[name] = normalise(inner, field.place)
  }
  return value
}

/** An empty struct that was sent stays; an empty map or list is dropped. */
function isZero(value: unknown, place: Place): boolean {
  if (typeof value !== 'object' || value === null) return value === '' || value === 0 || value === false
  if (Array.isArray(value)) return value.length === 0
  if (place.values === undefined) return false
  for (const _ in value) return false
  return true
}

function complete(value: unknown, place: Place): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (place.items) for (const item of value) complete(item, place.items)
    return
  }
  const object = value as Fields
  if (place.nulls) for (const name of place.nulls) if (object[name] === undefined) object[name] = null
  for (const name in object) {
    const inner = place.fields?.get(name)?.place ?? place.values
    if (inner) complete(object[name], inner)
  }
}

function collectErrors(value: unknown, place: Place, path: string, causes: Cause[]): void {
  const { form } = place
  if (value === null || value === undefined) return
  if (form && STRICT.has(form) && form(value) === undefined) causes.push(problem(form, value, path))
  if (typeof value !== 'object') return
  if (Array.isArray(value)) {
    const { items } = place
    if (items) value.forEach((item, index) => void collectErrors(item, items, `${path}[${index}]`, causes))
    return
  }
  for (const [name, inner] of Object.entries(value)) {
    const field = place.fields?.get(name)
    if (field) collectErrors(inner, field.place, path === '' ? name : `${path}.${name}`, causes)
    else if (place.values) collectErrors(inner, place.values, `${path}[${name}]`, causes)
  }
}

const MICRO_TIME = 'must be a time with six digits after the second, such as 2026-01-31T12:00:00.000000Z'
const QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

function problem(form: Form, value: unknown, path: string): Cause {
  if (form === canonicalQuantity) return typeInvalid(path, typeof value === 'string' ? value : typeof value, QUANTITY)
  return invalidValue(path, value, MICRO_TIME)
}

/** The canonical value; undefined when the value does not have this form. */
type Form = (value: unknown) => string | undefined

const FORMS: Readonly<Record<string, Form>> = {
  byte: canonicalBase64,
  'date-time': canonicalTime,
  'micro-time': canonicalMicroTime,
  quantity: canonicalQuantity,
}
const STRICT: ReadonlySet<Form> = new Set<Form>([canonicalMicroTime, canonicalQuantity])

function canonicalBase64(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const plain = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) return undefined
  // A decoder drops stray bits before the padding, so that they are dropped here too.
  return plain.endsWith('=') ? Buffer.from(plain, 'base64').toString('base64') : plain
}

/** The length of the canonical form, UTC with whole seconds. */
const SECONDS = '2026-01-31T12:00:00Z'.length

function canonicalTime(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const ms = parseRfc3339(text)
  if (ms === undefined) return undefined
  return text.length === SECONDS && text.endsWith('Z') ? text : rfc3339(ms)
}

function canonicalMicroTime(text: unknown): string | undefined {
  // Go's layout has exactly six digits; other lengths do not parse there.
  if (typeof text !== 'string' || !/^[^.]{19}\.\d{6}(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined
  const ms = parseRfc3339(text)
  if (ms === undefined) return undefined
  if (text.endsWith('Z')) return text
  // A Date would lose the last three digits: keep those of the text.
  return `${rfc3339Micro(Math.floor(ms / 1000) * 1000).slice(0, 20)}${text.slice(20, 26)}Z`
}
