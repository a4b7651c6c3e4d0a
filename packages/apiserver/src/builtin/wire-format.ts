// Strings with a form that Kubernetes decodes instead of keeping: base64 bytes and times. They are written back in
// their one canonical form. Used by the strategy of built-in kinds. Forms inside a schema that contains itself are
// not looked for.

import { type Cause, invalidValue, parseRfc3339, rfc3339, rfc3339Micro } from '@homeostat/meta'
import type { JsonSchema } from '@homeostat/schema'
import { type Fields, fieldsOf, isFields } from './fields-of.ts'

interface WireFormat {
  /** Times with microseconds that cannot be decoded; the schema's own decoding sees the rest. */
  errors(object: Fields): Cause[]
  /** Rewrites every good string in place. */
  normalise(object: Fields): void
}

const MICRO_TIME = 'must be a time with six digits after the second, such as 2026-01-31T12:00:00.000000Z'

/** Reads the schema once, so that objects are only visited where a form is. */
export function wireFormat(schema: JsonSchema): WireFormat {
  const visit = visitor(schema, new Map())
  return {
    errors(object) {
      const causes: Cause[] = []
      visit?.(object, '', (text, form, path) => {
        if (form === canonicalMicroTime && form(text) === undefined) causes.push(invalidValue(path, text, MICRO_TIME))
        return text
      })
      return causes
    },
    normalise(object) {
      visit?.(object, '', (text, form) => form(text) ?? text)
    },
  }
}

/** The canonical text; undefined when the text is not of this form. */
type Form = (text: string) => string | undefined
type Replace = (text: string, form: Form, path: string) => string
type Visit = (value: unknown, path: string, replace: Replace) => unknown
type Known = Map<JsonSchema, Visit | undefined>

const FORMS: Readonly<Record<string, Form>> = {
  byte: canonicalBase64,
  'date-time': canonicalTime,
  'micro-time': canonicalMicroTime,
}

/** Undefined when nothing below has a form. */
function visitor(schema: JsonSchema, known: Known): Visit | undefined {
  if (known.has(schema)) return known.get(schema)
  known.set(schema, undefined)
  const visit = freshVisitor(schema, known)
  known.set(schema, visit)
  return visit
}

function freshVisitor(schema: JsonSchema, known: Known): Visit | undefined {
  const form = typeof schema.format === 'string' ? FORMS[schema.format] : undefined
  if (form !== undefined) {
    return (value, path, replace) => (typeof value === 'string' ? replace(value, form, path) : value)
  }
  if (isFields(schema.items)) return listVisitor(visitor(schema.items, known))
  if (isFields(schema.additionalProperties)) return mapVisitor(visitor(schema.additionalProperties, known))
  return structVisitor(fieldsOf(schema.properties), known)
}

function listVisitor(visit: Visit | undefined): Visit | undefined {
  if (visit === undefined) return undefined
  return (value, path, replace) => {
    if (!Array.isArray(value)) return value
    value.forEach((item, index) => {
      value[index] = visit(item, `${path}[${index}]`, replace)
    })
    return value
  }
}

function mapVisitor(visit: Visit | undefined): Visit | undefined {
  if (visit === undefined) return undefined
  return (value, path, replace) => {
    if (!isFields(value)) return value
    for (const key of Object.keys(value)) value[key] = visit(value[key], `${path}[${key}]`, replace)
    return value
  }
}

function structVisitor(properties: Fields, known: Known): Visit | undefined {
  const visits = Object.entries(properties).flatMap(([name, property]) => {
    const visit = visitor(fieldsOf(property), known)
    return visit === undefined ? [] : [{ name, visit }]
  })
  if (visits.length === 0) return undefined
  return (value, path, replace) => {
    if (!isFields(value)) return value
    for (const { name, visit } of visits) {
      if (value[name] !== undefined) value[name] = visit(value[name], path === '' ? name : `${path}.${name}`, replace)
    }
    return value
  }
}

function canonicalBase64(text: string): string | undefined {
  const plain = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) return undefined
  // Stray bits before the padding are dropped by a decoder, so they are dropped here.
  return plain.endsWith('=') ? Buffer.from(plain, 'base64').toString('base64') : plain
}

function canonicalTime(text: string): string | undefined {
  const ms = parseRfc3339(text)
  return ms === undefined ? undefined : rfc3339(ms)
}

function canonicalMicroTime(text: string): string | undefined {
  // Go's layout for these has exactly six digits, so that other lengths do not parse there.
  if (!/^[^.]{19}\.\d{6}(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined
  const ms = parseRfc3339(text)
  if (ms === undefined) return undefined
  // Milliseconds would lose the last three digits: keep those of the text.
  return `${rfc3339Micro(Math.floor(ms / 1000) * 1000).slice(0, 20)}${text.slice(20, 26)}Z`
}
