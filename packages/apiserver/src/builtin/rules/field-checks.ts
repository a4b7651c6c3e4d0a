// The small checks that the rules of built-in kinds combine. Each returns causes; none throws, whatever the value.

import { deepEqual, dns1123Label, dns1123Subdomain, isObject, qualifiedName } from '@homeostat/meta'
import { type Cause, invalidValue, notSupported, required } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'

/** A missing number counts as 0, as in Go. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The items that are objects, with their paths. Decoding has refused all others. */
export function items(list: unknown, path: string): { item: Fields; path: string; index: number }[] {
  return listOf(list).map((item, index) => ({ item: fieldsOf(item), path: `${path}[${index}]`, index }))
}

export function texts(list: unknown): string[] {
  return listOf(list).map(textOf)
}

/** The struct at the key, created when it is missing. */
export function ensure(parent: Fields, key: string): Fields {
  const value = parent[key]
  if (isObject(value)) return value
  const made: Fields = {}
  parent[key] = made
  return made
}

/** The structs in the list at the key, for changes in place. */
export function structs(parent: Fields, key: string): Fields[] {
  return listOf(parent[key]).filter(isObject)
}

/** For fields without a pointer in Go: '' and 0 count as absent. */
export function fill(parent: Fields, key: string, value: unknown): void {
  const now = parent[key]
  if (now === undefined || now === null || now === '' || now === 0) parent[key] = value
}

/** For fields with a pointer in Go: only an absent value is filled in. */
export function fillMissing(parent: Fields, key: string, value: unknown): void {
  if (!isSet(parent[key])) parent[key] = value
}

export function messages(path: string, value: unknown, found: readonly string[]): Cause[] {
  return found.map((message) => invalidValue(path, value, message))
}

export function requiredText(path: string, value: unknown): Cause[] {
  return textOf(value) === '' ? [required(path)] : []
}

/** The value is required and must be one of the choices. */
export function choice(path: string, value: unknown, choices: readonly string[]): Cause[] {
  return textOf(value) === '' ? [required(path)] : optionalChoice(path, value, choices)
}

/** A value that is present must be one of the choices; '' is present. */
export function optionalChoice(path: string, value: unknown, choices: readonly string[]): Cause[] {
  return !isSet(value) || choices.includes(textOf(value)) ? [] : [notSupported(path, value, choices)]
}

export function nonNegative(path: string, value: unknown): Cause[] {
  return numberOf(value) < 0 ? [invalidValue(path, value, 'must be greater than or equal to 0')] : []
}

/** Checks each of the fields that is present. */
export function nonNegativeFields(fields: Fields, path: string, keys: readonly string[]): Cause[] {
  return keys.flatMap((key) => nonNegative(`${path}.${key}`, fields[key]))
}

export function positive(path: string, value: unknown): Cause[] {
  return numberOf(value) <= 0 ? [invalidValue(path, value ?? 0, 'must be greater than 0')] : []
}

export function immutable(path: string, value: unknown, old: unknown): Cause[] {
  return deepEqual(value ?? null, old ?? null) ? [] : [invalidValue(path, value, 'field is immutable')]
}

export function dnsLabel(path: string, value: unknown): Cause[] {
  return messages(path, textOf(value), dns1123Label(textOf(value)))
}

export function dnsSubdomain(path: string, value: unknown): Cause[] {
  return messages(path, textOf(value), dns1123Subdomain(textOf(value)))
}

export function qualified(path: string, value: unknown): Cause[] {
  return messages(path, textOf(value), qualifiedName(textOf(value)))
}

/** A missing name is `Required`, an invalid one `Invalid`. */
export function requiredName(path: string, value: unknown, check = dnsLabel): Cause[] {
  return textOf(value) === '' ? [required(path)] : check(path, value)
}

export function inRange(path: string, value: unknown, from: number, to: number): Cause[] {
  const number = numberOf(value)
  return number >= from && number <= to
    ? []
    : [invalidValue(path, value ?? 0, `must be between ${from} and ${to}, inclusive`)]
}

export function portNumber(path: string, value: unknown): Cause[] {
  return inRange(path, value, 1, 65535)
}

export function portName(path: string, value: unknown): Cause[] {
  const name = textOf(value)
  const found: string[] = []
  if (name.length > 15) found.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(name)) found.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(name)) found.push('must contain at least one letter (a-z)')
  if (name.includes('--')) found.push('must not contain consecutive hyphens')
  if (name.startsWith('-') || name.endsWith('-')) found.push('must not begin or end with a hyphen')
  return messages(path, name, found)
}

export function portNumberOrName(path: string, value: unknown): Cause[] {
  return typeof value === 'string' ? portName(path, value) : portNumber(path, value)
}

/** `25%`, or a number that is not negative. */
export function numberOrPercent(path: string, value: unknown): Cause[] {
  if (typeof value !== 'string') return nonNegative(path, value)
  if (percentOf(value) !== undefined) return []
  return [invalidValue(path, value, "a valid percent string must be a numeric string followed by an ending '%'")]
}

export function percentOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number(value.slice(0, -1)) : undefined
}

export function atMostAllPercent(path: string, value: unknown): Cause[] {
  return (percentOf(value) ?? 0) > 100 ? [invalidValue(path, value, 'must not be greater than 100%')] : []
}

/** The number before a `%`, or the number itself. */
export function amountOf(value: unknown): number {
  return percentOf(value) ?? (typeof value === 'string' ? Number.parseInt(value, 10) || 0 : numberOf(value))
}
