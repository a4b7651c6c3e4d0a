// What the status of a kind can hold according to its schema: a field that the schema lacks must not be applied.

import type { ApiObject } from '@homeostat/client'
import { parseGroupVersion } from '@homeostat/meta'

export interface StatusShape {
  readonly observedGeneration: boolean
  readonly conditions: boolean
  /** Whether conditions have observedGeneration. */
  readonly conditionGeneration: boolean
}

/** For kinds whose definition is unknown: plain conditions without observedGeneration. */
export const UNKNOWN_SHAPE: StatusShape = { observedGeneration: false, conditions: true, conditionGeneration: false }

export function statusShape(definition: ApiObject | undefined, apiVersion: string): StatusShape {
  if (definition === undefined) return UNKNOWN_SHAPE
  const { version } = parseGroupVersion(apiVersion) ?? { version: '' }
  const versions = at(definition, 'spec', 'versions')
  const found = Array.isArray(versions) ? versions.find((one) => at(one, 'name') === version) : undefined
  // Without the subresource every status write raises the generation, so observedGeneration could never catch up.
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
