// Strings: lengths, patterns and formats. A format that servers know stands alone: Zod's pattern for it often uses what
// RE2 has not, and two validators of one thing are enough.

import type { JsonSchema } from '../json-schema.ts'
import { escapePattern, re2Pattern } from './patterns.ts'
import type { Place, Translate, Walk } from './walk.ts'
import { type Check, checksOf } from './zod-schema.ts'

export const translateString: Translate = (walk, schema, place) => {
  let node: JsonSchema = { type: 'string' }
  let changed = false
  for (const check of checksOf(schema)) {
    if (changed && check.check !== 'overwrite' && check.check !== 'custom') {
      const what = String(check.format ?? check.check).replaceAll('_', ' ')
      walk.warn(place, `${what} is checked by the operator only, since it comes after a change such as .trim()`)
    } else if (check.check === 'overwrite') changed = true
    else node = stringCheck(walk, node, check, place)
  }
  return node
}

function stringCheck(walk: Walk, node: JsonSchema, check: Check, place: Place): JsonSchema {
  switch (check.check) {
    case 'min_length':
      return withLength(node, check.minimum, undefined)
    case 'max_length':
      return withLength(node, undefined, check.maximum)
    case 'length_equals':
      return withLength(node, check.length, check.length)
    case 'string_format':
      return stringFormat(walk, node, check, place)
    default:
      return node
  }
}

function withLength(node: JsonSchema, min: unknown, max: unknown): JsonSchema {
  const result = { ...node }
  if (typeof min === 'number') result.minLength = Math.max(min, Number(node.minLength ?? 0))
  if (typeof max === 'number') result.maxLength = Math.min(max, Number(node.maxLength ?? max))
  return result
}

/** Zod's names of formats, and the servers' names of the same. */
const formats: ReadonlyMap<string, string> = new Map([
  ['email', 'email'],
  ['url', 'uri'],
  ['uuid', 'uuid'],
  ['guid', 'uuid'],
  ['ipv4', 'ipv4'],
  ['ipv6', 'ipv6'],
  ['cidrv4', 'cidr'],
  ['cidrv6', 'cidr'],
  ['base64', 'byte'],
  ['datetime', 'date-time'],
  ['date', 'date'],
  ['mac', 'mac'],
])

const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
/** The format `hostname` of servers knows no name with a dash and without a dot. */
const HOSTNAME = `^${LABEL}(?:\\.${LABEL})*\\.?$`

const uuidVersions = new Set(['v3', 'v4', 'v5'])

function stringFormat(walk: Walk, node: JsonSchema, check: Check, place: Place): JsonSchema {
  const name = String(check.format)
  const text = (part: unknown) => escapePattern(String(part))
  switch (name) {
    case 'starts_with':
      return alsoPattern(node, `^${text(check.prefix)}`)
    case 'ends_with':
      return alsoPattern(node, `${text(check.suffix)}$`)
    case 'includes':
      return includes(walk, node, check, place)
    case 'regex':
      return regex(walk, node, check, place)
    case 'hostname':
      return { ...withLength(node, 1, 254), pattern: HOSTNAME }
    case 'duration':
      walk.warn(
        place,
        'z.iso.duration() is checked by the operator only; k8s.duration() has the form that servers know',
      )
      return node
    default:
      break
  }
  const known = formats.get(name)
  if (known === undefined) return regex(walk, node, check, place)
  if (name === 'datetime' && (check.local === true || Number(check.precision ?? 0) < 0)) {
    walk.warn(place, 'a time without zone or seconds is no date-time of a server: it is checked by the operator only')
    return node
  }
  const version = String(check.version)
  const format = known === 'uuid' && uuidVersions.has(version) ? `uuid${version.slice(1)}` : known
  if (node.format === undefined) return { ...node, format }
  if (node.format === format) return node
  return { ...node, allOf: [...listOf(node.allOf), { format }] }
}

function includes(walk: Walk, node: JsonSchema, check: Check, place: Place): JsonSchema {
  if (typeof check.position === 'number' && check.position > 0) {
    walk.warn(place, '.includes() with a position is checked by the operator only')
    return node
  }
  return alsoPattern(node, escapePattern(String(check.includes)))
}

function regex(walk: Walk, node: JsonSchema, check: Check, place: Place): JsonSchema {
  const name = String(check.format)
  const what = name === 'regex' ? String(check.pattern) : `the format ${name}`
  const pattern = check.pattern instanceof RegExp ? re2Pattern(check.pattern) : undefined
  if (pattern === undefined) {
    walk.warn(place, `${what} is checked by the operator only, since it cannot be written as a pattern of RE2`)
    return node
  }
  return node.pattern === undefined ? { ...node, pattern } : alsoPattern(node, pattern)
}

export function alsoPattern(node: JsonSchema, pattern: string): JsonSchema {
  return { ...node, allOf: [...listOf(node.allOf), { pattern }] }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
