// Finds the schemas of components that are not served kinds: metadata and other shared types, and the structs inside
// built-in kinds.

import { publishedComponent } from '../builtin/facts/published-schema.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { componentName } from './component-name.ts'
import { bodySchema, kindSchemas } from './kind-schemas.ts'
import { type Schema, SHARED_SCHEMAS } from './meta-schemas.ts'
import { subresourceKind } from './paths.ts'

/** An unknown component gets the schema of any value, which is the safe assumption for a client. */
export function sharedSchema(component: string): Schema {
  return SHARED_SCHEMAS.get(component) ?? publishedComponent(component) ?? {}
}

/** Like `sharedSchema`, for documents that may also reference built-in kinds of other groups and bodies of actions. */
export function schemaFinder(types: readonly ResourceType[]): (component: string) => Schema {
  const kinds = new Map<string, () => Schema>()
  for (const type of types) {
    if (type.custom) continue
    kinds.set(componentName(type.group, type.version, type.kind, false), () => kindSchemas(type)[0]?.[1] ?? {})
    for (const { answers } of Object.values(type.subresources.others ?? {})) {
      if (!answers) continue
      const { group, version, kind } = subresourceKind(type, answers)
      const name = componentName(group, version, kind, false)
      if (!kinds.has(name)) kinds.set(name, () => bodySchema(sharedSchema(name), group, version, kind))
    }
  }
  return (component) => kinds.get(component)?.() ?? sharedSchema(component)
}
