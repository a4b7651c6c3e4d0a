// A custom kind for tests: a namespaced Gadget with status and scale, like one that a definition makes.

import { ANY, mapType } from '@homeostat/meta/merge'
import type { ResourceType, Strategy } from '../registry/resource-type.ts'
import { ResourceTypes } from '../registry/resource-types.ts'
import { TypeMemo } from '../registry/type-memo.ts'
import { customColumns } from '../table/custom-columns.ts'

const acceptAll: Strategy = {
  prune: () => [],
  applyDefaults: () => {},
  decodeErrors: () => [],
  validate: () => [],
  validateUpdate: () => [],
  prepareForCreate: () => false,
  prepareForUpdate: () => {},
  prepareForStatusUpdate: () => {},
  nameErrors: () => [],
  generation: true,
  unconditionalUpdate: false,
  createOnUpdate: false,
  deleteReturnsObject: false,
  warnings: () => [],
  mayVanish: () => true,
}

export const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

export function gadgetType(changes: Partial<ResourceType> = {}): ResourceType {
  return {
    group: 'facts.example.com',
    version: 'v1',
    kind: 'Gadget',
    listKind: 'GadgetList',
    resource: 'gadgets',
    singular: 'gadget',
    namespaced: true,
    shortNames: ['gd'],
    categories: ['all'],
    verbs: ALL_VERBS,
    storage: 'facts.example.com/gadgets',
    storageVersion: 'v1',
    keepsHistory: true,
    viewEpoch: 0,
    subresources: { status: true, scale: { specReplicas: '.spec.count', statusReplicas: '.status.count' } },
    columns: customColumns(undefined),
    selectableFields: {},
    strategy: acceptAll,
    memo: new TypeMemo(),
    mergeType: mapType({}, { others: ANY }),
    custom: true,
    acceptsCreates: true,
    createsNamespaces: false,
    openapi: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          required: ['count'],
          properties: {
            count: { type: 'integer', minimum: 0, description: 'How many there shall be.' },
            mode: { type: 'string', default: 'slow' },
          },
        },
        status: { type: 'object', properties: { count: { type: 'integer' } } },
      },
    },
    ...changes,
  }
}

/** A built-in kind, by default of the core group. */
export function builtinGadget(changes: Partial<ResourceType> & Pick<ResourceType, 'group' | 'kind' | 'resource'>) {
  return gadgetType({
    listKind: `${changes.kind}List`,
    singular: changes.kind.toLowerCase(),
    custom: false,
    shortNames: [],
    categories: [],
    subresources: { status: false },
    ...changes,
  })
}

export function tableOf(...types: ResourceType[]): ResourceTypes {
  const table = new ResourceTypes()
  for (const versions of Map.groupBy(types, (type) => `${type.group}/${type.resource}`).values()) {
    const [first] = versions
    if (first) table.set(first.group, first.resource, versions)
  }
  return table
}
