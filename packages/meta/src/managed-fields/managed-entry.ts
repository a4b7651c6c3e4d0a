// One entry of metadata.managedFields: who owns which fields by which way of writing.

import { isObject } from '../json/is-object.ts'
import { writeJson } from '../json/write-json.ts'
import { parseRfc3339 } from '../time/rfc3339.ts'
import { type FieldSet, isEmptySet, NOTHING, sortedNodeOf } from './field-set.ts'
import { normalElement } from './path-element.ts'
import type { Fields } from './typed-value.ts'

export interface ManagedFieldsEntry {
  manager?: string
  operation?: 'Apply' | 'Update'
  apiVersion?: string
  time?: string
  fieldsType?: 'FieldsV1'
  fieldsV1?: FieldSet
  subresource?: string
}

/** An entry that was read, or made here: what it needs is there. */
export interface Owner extends ManagedFieldsEntry {
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly fieldsV1: FieldSet
}

export interface Identity {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource?: string | undefined
}

/** Fields in the order in which Kubernetes writes them. */
export function newOwner(identity: Identity, fieldsV1: FieldSet, time: string | undefined): Owner {
  const { manager, operation, apiVersion, subresource } = identity
  return {
    ...(manager !== '' && { manager }),
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource && { subresource }),
  }
}

export function withFields(owner: Owner, fieldsV1: FieldSet): Owner {
  return owner.fieldsV1 === fieldsV1 ? owner : { ...owner, fieldsV1 }
}

/** Another operation or subresource makes another owner of the same manager; for an updater another version does, too. */
export function isSameOwner(owner: ManagedFieldsEntry, other: Identity): boolean {
  return (
    owner.operation === other.operation &&
    (owner.manager ?? '') === other.manager &&
    (owner.subresource ?? '') === (other.subresource ?? '') &&
    (owner.operation === 'Apply' || owner.apiVersion === other.apiVersion)
  )
}

/** A text that two owners share only when they are the same. */
export function ownerKey(owner: ManagedFieldsEntry): string {
  return writeJson({
    manager: owner.manager || undefined,
    operation: owner.operation,
    apiVersion: owner.operation === 'Apply' ? undefined : owner.apiVersion,
    subresource: owner.subresource || undefined,
  })
}

/** Appliers first, then by time and name. */
export function compareOwners(a: Owner, b: Owner): number {
  return (
    order(a.operation, b.operation) ||
    compareTimes(a.time, b.time) ||
    order(a.manager ?? '', b.manager ?? '') ||
    order(a.apiVersion, b.apiVersion) ||
    order(a.subresource ?? '', b.subresource ?? '')
  )
}

export function compareAges(a: Owner, b: Owner): number {
  return compareTimes(a.time, b.time) || order(ownerKey(a), ownerKey(b))
}

/** Reads entries that a client sent. Throws, with Kubernetes' message, when one cannot be read. */
export function readOwners(list: readonly unknown[]): Owner[] {
  const owners = new Map<string, Owner>()
  for (const [index, given] of list.entries()) {
    const entry = (isObject(given) ? given : {}) as ManagedFieldsEntry
    checkEntry(entry, index)
    const { manager = '', operation, apiVersion, time, subresource } = entry as Owner
    const identity = { manager, operation, apiVersion, subresource }
    const set = entry.fieldsV1 === undefined || entry.fieldsV1 === null ? NOTHING : normalSet(entry.fieldsV1)
    owners.set(ownerKey(entry), newOwner(identity, set, typeof time === 'string' ? time : undefined))
  }
  return [...owners.values()]
}

/** Reads entries that this server wrote, without checking their field sets. Undefined for other entries. */
export function trustOwners(list: readonly unknown[]): readonly Owner[] | undefined {
  try {
    for (const [index, entry] of list.entries()) {
      checkEntry(entry as ManagedFieldsEntry, index)
      if (!isObject((entry as Owner).fieldsV1)) return readOwners(list)
    }
    return list as readonly Owner[]
  } catch {
    return undefined
  }
}

function checkEntry(entry: ManagedFieldsEntry, index: number): void {
  if (entry.operation !== 'Apply' && entry.operation !== 'Update')
    throw new Error('operation must be `Apply` or `Update`')
  if (typeof entry.apiVersion !== 'string' || entry.apiVersion === '') throw new Error('apiVersion must not be empty')
  const type: unknown = entry.fieldsType
  if (type === 'FieldsV1') return
  if (type === undefined || type === '') throw new Error(`missing fieldsType in managed fields entry ${index}`)
  throw new Error(`invalid fieldsType ${JSON.stringify(type)} in managed fields entry ${index}`)
}

/** The one way to write a set: sorted, without elements that nobody knows. The set itself when it is written so. */
export function normalSet(given: unknown): FieldSet {
  if (!isObject(given)) throw new Error('error decoding set: expected an object')
  return isNormal(given, false) ? (given as FieldSet) : (normalNode(given, false) ?? NOTHING)
}

/** Whether a node is written as we write it. Items are not looked at for their order, which has no meaning. */
function isNormal(node: Fields, nested: boolean): boolean {
  let previous = ''
  for (const element in node) {
    const child = node[element]
    if (!isObject(child)) return false
    if (element === '.') {
      if (!nested || previous !== '' || !isBlank(child)) return false
      continue
    }
    const isField = element.startsWith('f:')
    if (isField ? element < previous : normalElement(element) !== element) return false
    if (isField) previous = element
    if (!isNormal(child, true)) return false
  }
  return !nested || previous !== '' || node['.'] === undefined || Object.keys(node).length > 1
}

function isBlank(fields: Fields): boolean {
  for (const _ in fields) return false
  return true
}

function normalNode(given: unknown, nested: boolean): FieldSet | undefined {
  if (!isObject(given)) {
    if (given === null || given === undefined) return NOTHING
    throw new Error('error decoding set: expected an object')
  }
  const children = new Map<string, FieldSet>()
  let same = true
  for (const element in given) {
    if (element === '.') {
      if (!nested) same = false
      continue
    }
    const normal = normalElement(element)
    if (normal === undefined) {
      same = false
      continue
    }
    const child = normalNode(given[element], true) ?? NOTHING
    if (normal !== element || child !== given[element]) same = false
    children.set(normal, child)
  }
  const member = nested && (given['.'] !== undefined || children.size === 0)
  const node = sortedNodeOf(member, children) ?? NOTHING
  return same && sameOrder(node, given as FieldSet) ? (given as FieldSet) : node
}

function sameOrder(a: FieldSet, b: FieldSet): boolean {
  const [mine, theirs] = [Object.keys(a), Object.keys(b)]
  return mine.length === theirs.length && mine.every((element, index) => element === theirs[index])
}

function order(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** By whole seconds. Times as we write them are in order by their texts. */
function compareTimes(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0
  if (a?.length === 20 && b?.length === 20 && a.endsWith('Z') && b.endsWith('Z')) return a < b ? -1 : 1
  return seconds(a) - seconds(b)
}

function seconds(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor((parseRfc3339(time) ?? 0) / 1000)
}

export function ownsNothing(owner: Owner): boolean {
  return isEmptySet(owner.fieldsV1)
}
