// Adds the subresources that extensions serve to the types that they belong to. Every type passes here when it is served.

import type { ApiExtension } from './api-extension.ts'
import type { ResourceType } from './resource-type.ts'
import { typeWith } from './type-with.ts'

/** The type with the subresources of the extensions. */
export function extendType(type: ResourceType, extensions: readonly ApiExtension[]): ResourceType {
  const own = extensions.filter(
    ({ group, version, resource }) => group === type.group && version === type.version && resource === type.resource,
  )
  if (own.length === 0) return type
  const others = { ...type.subresources.others }
  for (const [subresource, parts] of Map.groupBy(own, (extension) => extension.subresource)) {
    const connect = Object.fromEntries(parts.map((part) => [part.verb, part.connect.bind(part)]))
    others[subresource] = { ...others[subresource], verbs: Object.keys(connect), connect }
  }
  return typeWith(type, { subresources: { ...type.subresources, others } })
}
