// What a kind's status can hold, as its definition says: a field that the schema does not have must not be applied.

import type { ApiObject } from '@homeostat/client'
import { parseGroupVersion } from '@homeostat/meta'

export interface StatusShape {
  readonly observedGeneration: boolean
  readonly conditions: boolean
  /** Conditions have observedGeneration. */
  readonly conditionGeneration: boolean
}

/** Of kinds whose definition is not known: conditions as old as Kubernetes, without generations. */
export const UNKNOWN_SHAPE: StatusShape = { observedGeneration: false, conditions: true, conditionGeneration: false }

export function statusShape(definition: ApiObject | undefined, apiVersion: string): StatusShape {
  if (definition === undefined) return UNKNOWN_SHAPE
  const { version } = parseGroupVersion(apiVersion) ?? { version: '' }
  const versions = at(definition, 'spec', 'versions')
  const found = Array.isArray(versions) ? versions.find((one) => at(one, 'name') === version) : undefined
  // Without the subresource a write of the status is a new generation, which no status can ever have observed.
  const isPart = at(found, 'subresources', 'status') !== undefined
  const status = at(found, 'schema', 'openAPIV3Schema', 'properties', 'status')
  return {
    observedGeneration: isPart && has(status, 'observedGeneration'),
    conditions: has(status, 'conditions'),
    conditionGeneration:
      isPart && has(at(status, 'properties', 'conditions', 'items'), 'observedGeneration', isOpen(status)),
  }
}

function has(schema: unknown, field: string, open = isOpen(schema)): boolean {
  return open || at(schema, 'properties', field) !== undefined
}

function isOpen(schema: unknown): boolean {
  return at(schema, 'x-kubernetes-preserve-unknown-fields') === true
}

function at(value: unknown, ...path: string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}
