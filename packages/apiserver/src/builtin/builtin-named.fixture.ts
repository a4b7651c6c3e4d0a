// Finds the type of a built-in resource, for tests of its rules.

import type { ResourceType } from '../registry/resource-type.ts'
import { builtinTypes } from './builtin-types.ts'

export function builtinNamed(resource: string, group?: string, version?: string): ResourceType {
  const found = builtinTypes().find(
    (type) =>
      type.resource === resource &&
      (group === undefined || type.group === group) &&
      (version === undefined || type.version === version),
  )
  if (!found) throw new Error(`nothing is called ${resource}`)
  return found
}
