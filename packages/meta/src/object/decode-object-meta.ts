// Turns the `metadata` of a request into ObjectMeta: right types or a refusal, no nulls, nothing unknown and none
// of the empty values that Kubernetes never writes. Every write passes here; it shares nothing with its input.

import { deepClone } from '../json/deep.ts'
import type { StatusError } from '../status/status-error.ts'
import { badRequest } from '../status/status-errors.ts'
import { parseRfc3339, rfc3339 } from '../time/rfc3339.ts'
import type { ObjectMeta, OwnerReference } from './object.ts'

export interface DecodedObjectMeta {
  meta: ObjectMeta
  /** Fields that metadata does not have, such as `metadata.foo`. They are dropped. */
  unknown: string[]
}

export function decodeObjectMeta(value: unknown): DecodedObjectMeta {
  const meta: ObjectMeta = {}
  const unknown: string[] = []
  if (value === undefined || value === null) return { meta, unknown }
  const source = asRecord(value, 'metadata')
  for (const field in source) {
    const given = source[field]
    if (given === null || given === undefined) continue
    switch (field) {
      case 'name':
      case 'generateName':
      case 'namespace':
      case 'uid':
      case 'resourceVersion':
      case 'selfLink':
        if (typeof given !== 'string') throw wrongType(`metadata.${field}`, 'a string', given)
        if (given !== '') meta[field] = given
        break
      case 'generation': {
        const generation = asInteger(given, 'metadata.generation')
        if (generation !== 0) meta.generation = generation
        break
      }
      case 'deletionGracePeriodSeconds':
        meta.deletionGracePeriodSeconds = asInteger(given, 'metadata.deletionGracePeriodSeconds')
        break
      case 'creationTimestamp':
      case 'deletionTimestamp':
        meta[field] = asTime(given, `metadata.${field}`)
        break
      case 'labels':
      case 'annotations': {
        const strings = asStrings(given, `metadata.${field}`)
        if (strings) meta[field] = strings
        break
      }
      case 'finalizers': {
        const finalizers = asArray(given, 'metadata.finalizers').map((item, i) =>
          asString(item, `metadata.finalizers[${i}]`),
        )
        if (finalizers.length > 0) meta.finalizers = finalizers
        break
      }
      case 'ownerReferences': {
        const references = asArray(given, 'metadata.ownerReferences')
        if (references.length > 0) meta.ownerReferences = references.map((item, i) => asOwner(item, i, unknown))
        break
      }
      case 'managedFields':
        // An empty list stays: it asks for all managers to be forgotten.
        meta.managedFields = asArray(given, 'metadata.managedFields').map((item, i) =>
          deepClone(asRecord(item, `metadata.managedFields[${i}]`)),
        )
        break
      default:
        unknown.push(`metadata.${field}`)
    }
  }
  return { meta, unknown }
}

function asOwner(value: unknown, index: number, unknown: string[]): OwnerReference {
  const path = `metadata.ownerReferences[${index}]`
  const source = asRecord(value, path)
  const owner: OwnerReference = { apiVersion: '', kind: '', name: '', uid: '' }
  for (const field in source) {
    const given = source[field]
    if (given === null || given === undefined) continue
    switch (field) {
      case 'apiVersion':
      case 'kind':
      case 'name':
      case 'uid':
        owner[field] = asString(given, `${path}.${field}`)
        break
      case 'controller':
      case 'blockOwnerDeletion':
        if (typeof given !== 'boolean') throw wrongType(`${path}.${field}`, 'a boolean', given)
        owner[field] = given
        break
      default:
        unknown.push(`${path}.${field}`)
    }
  }
  return owner
}

/** Undefined when empty. */
function asStrings(value: unknown, path: string): Record<string, string> | undefined {
  const strings = { ...asRecord(value, path) }
  let size = 0
  for (const key in strings) {
    const given = strings[key]
    if (given === null) delete strings[key]
    else if (typeof given !== 'string') throw wrongType(`${path}[${JSON.stringify(key)}]`, 'a string', given)
    else size++
  }
  return size === 0 ? undefined : (strings as Record<string, string>)
}

function asTime(value: unknown, path: string): string {
  const text = asString(value, path)
  const time = parseRfc3339(text)
  if (time === undefined)
    throw badRequest(`${path} must be a time such as 2006-01-02T15:04:05Z, got ${JSON.stringify(text)}`)
  return text.length === 20 ? text : rfc3339(time)
}

function asString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrongType(path, 'a string', value)
  return value
}

function asInteger(value: unknown, path: string): number {
  const number = typeof value === 'bigint' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number)) throw wrongType(path, 'an integer', value)
  return number
}

function asArray(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw wrongType(path, 'an array', value)
  return value
}

function asRecord(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType(path, 'an object', value)
  return value as Record<string, unknown>
}

function wrongType(path: string, expected: string, value: unknown): StatusError {
  const found =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'an array'
        : typeof value === 'object'
          ? 'an object'
          : `a ${typeof value}`
  return badRequest(`${path} must be ${expected}, not ${found.replace('a bigint', 'an integer')}`)
}
