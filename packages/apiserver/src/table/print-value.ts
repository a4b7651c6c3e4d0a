// Prints a JSON value for a string column: scalars bare, lists and objects as compact JSON with sorted keys. The
// formats are Go's, because clients compare and sort what Kubernetes prints.

import { type JsonValue, writeJson } from '@homeostat/meta'

export function printValue(value: JsonValue): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      return printNumber(value)
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      return value === null ? '<no value>' : escapeHtml(writeJson(sortKeys(value)))
  }
}

/** Go prints a fraction with an exponent below 1e-4 and from 1e6 on, with two digits of exponent. */
function printNumber(value: number): string {
  if (Number.isInteger(value)) return String(value)
  const [mantissa, exponent] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  // fromEntries defines properties, so that a key named __proto__ stays data.
  return Object.fromEntries(entries.map(([key, field]) => [key, sortKeys(field)]))
}

const ESCAPES: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

function escapeHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (character) => ESCAPES[character] ?? character)
}
