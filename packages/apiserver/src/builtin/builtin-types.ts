// All built-in types, and the function that serves them.

import type { ResourceType } from '../registry/resource-type.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { builtinType } from './builtin-kind.ts'
import { convertedType } from './conversions/converted-type.ts'
import { definitionKind } from './definition/definition-kind.ts'
import { tableKinds } from './kind-table.ts'
import { WireFormats } from './wire-format.ts'

/** `now` gives milliseconds since the epoch. */
export function builtinTypes(now: () => number = Date.now): ResourceType[] {
  const formats = new WireFormats()
  const types = [...tableKinds(), definitionKind(now)].map((kind) => builtinType(kind, formats))
  return types.map((type) => {
    const { conversion, storage } = type
    const stored = conversion && types.find((other) => other.storage === storage && !other.conversion)
    return stored ? convertedType(type, conversion, stored) : type
  })
}

/** Serves the types; all versions of a resource are set in one call. */
export function serveTypes(served: ResourceTypes, types: readonly ResourceType[]): void {
  const resources = Map.groupBy(types, ({ group, resource }) => `${group}/${resource}`)
  for (const versions of resources.values()) {
    const [first] = versions
    if (first) served.set(first.group, first.resource, versions)
  }
}
