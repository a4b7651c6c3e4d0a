// Declares OpenAPI components under their names: interfaces, aliases, and the objects nested in them. type-file.ts and
// kind-files.ts call it. Pure.

import type { Declaration } from './declaration.ts'
import { OBJECT_META, type Served } from './served-kinds.ts'
import { declareComponent, type FixedFields, type TypeWriter } from './type-text.ts'

export interface Declared {
  readonly declarations: readonly Declaration[]
  /** The components that the declarations refer to, except ObjectMeta. */
  readonly references: ReadonlySet<string>
  readonly usesObjectMeta: boolean
}

export function declareComponents(
  { kinds, schemas }: Served,
  components: readonly string[],
  names: ReadonlyMap<string, string>,
): Declared {
  const declarations: Declaration[] = []
  const references = new Set<string>()
  const taken = new Set(names.values())
  let usesObjectMeta = false
  const writer: TypeWriter = {
    declare: (declaration) => declarations.push(declaration),
    claim(wish) {
      let name = wish
      for (let number = 2; taken.has(name); number++) name = `${wish}${number}`
      taken.add(name)
      return name
    },
    reference(component) {
      if (component === OBJECT_META) {
        usesObjectMeta = true
        return 'ObjectMeta'
      }
      const name = names.get(component)
      // A dangling reference is a bug of the server; it must not cost the other types.
      if (name === undefined) return 'unknown'
      references.add(component)
      return name
    },
  }
  const objects = new Map(kinds.map((kind) => [kind.component, kind]))
  for (const component of components) {
    const object = objects.get(component)
    const fixed: FixedFields = object
      ? { apiVersion: `'${object.apiVersion}'`, kind: `'${object.kind}'`, metadata: writer.reference(OBJECT_META) }
      : {}
    declareComponent(names.get(component) ?? component, schemas.get(component) ?? {}, writer, fixed)
  }
  return { declarations, references, usesObjectMeta }
}
