// A kind with every kind of list and map, and shorthands to write to it.

import { ANY, type ListType, METADATA_TYPE, type MergeType, mapType, NUMBER, STRING } from '../merge/merge-type.ts'
import type { KubeObject } from '../object/object.ts'
import { FieldMemory } from './field-memory.ts'
import type { ManagedFieldsEntry } from './managed-entry.ts'

export const listOf = (
  list: 'atomic' | 'set' | 'map',
  items: MergeType = STRING,
  keys: ListType['keys'] = [],
): ListType => ({ kind: 'list', list, keys, items })

const port = mapType({ name: STRING, port: NUMBER, protocol: STRING, options: mapType({}, { others: STRING }) })

export const SPEC_FIELDS: Record<string, MergeType> = {
  image: STRING,
  replicas: NUMBER,
  nested: mapType({ depth: NUMBER, width: NUMBER }),
  whole: mapType({ a: NUMBER, b: NUMBER }, { atomic: true }),
  config: mapType({}, { others: STRING }),
  tags: listOf('set'),
  numbers: listOf('set', NUMBER),
  args: listOf('atomic'),
  ports: listOf('map', port, [{ name: 'port' }, { name: 'protocol', default: 'TCP' }]),
  free: ANY,
}

export const appType = (spec: Record<string, MergeType> = SPEC_FIELDS) =>
  mapType({
    apiVersion: STRING,
    kind: STRING,
    metadata: METADATA_TYPE,
    spec: mapType(spec),
    status: mapType({ phase: STRING }),
  })

const type = appType()
export const types = {
  typeOf: () => type,
  memory: new FieldMemory(),
  convert: (object: KubeObject, apiVersion: string) => ({ ...object, apiVersion }),
}

export const app = (spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: 'e.com/v1',
  kind: 'App',
  metadata: { name: 'a', ...metadata },
  spec,
})

export const by = (manager: string, more: object = {}) => ({
  manager,
  apiVersion: 'e.com/v1',
  time: '2026-01-01T00:00:00Z',
  reset: [] as string[][],
  force: false,
  ...more,
})

/** The sets of an object by manager. */
export function setsOf(object: KubeObject | ManagedFieldsEntry[] | undefined): Record<string, unknown> {
  const list = Array.isArray(object) ? object : ((object?.metadata.managedFields ?? []) as ManagedFieldsEntry[])
  return Object.fromEntries(list.map((entry) => [entry.manager, entry.fieldsV1]))
}

export function specOf(object: KubeObject): Record<string, unknown> {
  return object.spec as Record<string, unknown>
}
