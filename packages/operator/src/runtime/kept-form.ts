// Compares a wanted value with the form in which the server stores it. Built-in kinds are normalised: quantities are
// respelled, empty values dropped, and atomic lists and maps get defaults. Pure.

import { type AbsentField, isObject, parseQuantity, writeJson } from '@homeostat/meta'

/** Fields that our manager owns and the object lacks, because they were sent empty. */
export type Absent = readonly AbsentField[]

export function isKept(wanted: unknown, owned: unknown, absent: Absent): boolean {
  return same(wanted, owned, absent, [])
}

type Fields = Readonly<Record<string, unknown>>
type Path = readonly (string | number)[]

function same(wanted: unknown, owned: unknown, absent: Absent, path: Path): boolean {
  if (wanted === owned) return true
  if (isAbsent(owned)) return isEmpty(wanted) && absent.some((one) => isSamePath(one, path))
  if (Array.isArray(wanted)) {
    if (!Array.isArray(owned) || owned.length !== wanted.length) return false
    return wanted.every((item, index) => same(item, owned[index], absent, [...path, index]))
  }
  if (!isObject(wanted)) return isSameAmount(wanted, owned, path)
  return isObject(owned) && sameFields(wanted, owned, absent, path)
}

function sameFields(wanted: Fields, owned: Fields, absent: Absent, path: Path): boolean {
  const names = new Set([...Object.keys(wanted), ...Object.keys(owned)])
  return [...names].every((name) => {
    if (wanted[name] !== undefined) return same(wanted[name], owned[name], absent, [...path, name])
    return isAbsent(owned[name]) || isDefault(path, name, owned[name])
  })
}

/** Where built-in kinds have quantities: below these fields, or in these fields. */
const AMOUNTS_UNDER: ReadonlySet<string> = new Set(['requests', 'limits', 'hard', 'capacity'])
const AMOUNTS: ReadonlySet<string> = new Set(['sizeLimit', 'divisor'])

function isSameAmount(wanted: unknown, owned: unknown, path: Path): boolean {
  const [under, name] = path.slice(-2)
  if (!AMOUNTS_UNDER.has(`${under}`) && !AMOUNTS.has(`${name}`)) return false
  const amount = parseQuantity(wanted)
  return amount !== undefined && amount.nanos === parseQuantity(owned)?.nanos
}

/** Defaults inside atomic lists and maps, where our manager owns everything. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fieldRef: { apiVersion: 'v1' },
  resourceFieldRef: { divisor: '0' },
  serviceAccountToken: { expirationSeconds: '3600' },
  ports: { protocol: 'TCP', name: '' },
  volumeClaimTemplates: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: '{"phase":"Pending"}' },
}

function isDefault(path: Path, name: string, value: unknown): boolean {
  const names = path.filter((step) => typeof step === 'string')
  const under = names.at(-1) ?? ''
  if (under === 'spec' && names.at(-2) === 'volumeClaimTemplates')
    return name === 'volumeMode' && value === 'Filesystem'
  const known = Object.hasOwn(DEFAULTS, under) ? DEFAULTS[under]?.[name] : undefined
  return known !== undefined && known === (typeof value === 'string' ? value : writeJson(value))
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isAbsent)
  return value === null || value === '' || value === false || value === 0
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function isSamePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index])
}
