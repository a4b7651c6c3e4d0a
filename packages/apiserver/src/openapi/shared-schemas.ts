// Where a component is found that is no served kind itself: metadata and the like, and the types that built-in kinds
// are made of.

import { publishedComponent } from '../builtin/facts/published-schema.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { componentName } from './component-name.ts'
import { bodySchema, kindSchemas } from './kind-schemas.ts'
import { type Schema, SHARED_SCHEMAS } from './meta-schemas.ts'
import { subresourceKind } from './paths.ts'

/** What is unknown is published as anything at all, which is what a client may assume of it. */
export function sharedSchema(component: string): Schema {
  return SHARED_SCHEMAS.get(component) ?? publishedComponent(component) ?? {}
}

/** The same for documents that may also refer to whole built-in kinds: those of other groups, and bodies of actions. */
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
