// Generates one file of types for a program: the kinds of the chosen group versions, and a KnownKinds entry for each,
// so that `client.resource('ex.io/v1', 'Site')` is typed. `homeostat types` writes it.

import { declarationText } from './declaration.ts'
import { declareComponents } from './declare-components.ts'
import type { OpenApiDocument } from './openapi.ts'
import { reachable, readServed } from './served-kinds.ts'
import { componentNames } from './type-names.ts'

export interface TypeFileOptions {
  /** The comment on top of the file, e.g. how it was generated. One entry per line. */
  readonly heading: readonly string[]
  /** Whether KnownKinds has the kind already, e.g. `v1/Pod`. */
  readonly knows?: (key: string) => boolean
}

export interface TypeFile {
  readonly text: string
  /** Number of kinds in the file. */
  readonly kinds: number
}

/** Documents by their group version, e.g. `apps/v1`. */
export function typeFile(documents: ReadonlyMap<string, OpenApiDocument>, options: TypeFileOptions): TypeFile {
  const { heading, knows = () => false } = options
  const served = readServed(documents)
  const components = reachable(
    served.schemas,
    served.kinds.map(({ component }) => component),
  )
  const names = componentNames(components)
  const { declarations, usesObjectMeta } = declareComponents(served, components, names)
  const entries = served.kinds.flatMap(({ apiVersion, kind, component }) => {
    const key = `${apiVersion}/${kind}`
    return knows(key) ? [] : [`    '${key}': ${names.get(component)}`]
  })
  const parts = [
    heading.map((line) => `// ${line}\n`).join(''),
    usesObjectMeta ? "import type { ObjectMeta } from '@homeostat/client'\n" : '',
    ...declarations.map(declarationText),
    entries.length > 0 ? augmentation(entries) : '',
  ]
  return { text: parts.filter((part) => part !== '').join('\n'), kinds: served.kinds.length }
}

function augmentation(entries: readonly string[]): string {
  const lines = ["declare module '@homeostat/client' {", '  interface KnownKinds {', ...entries, '  }', '}']
  return `${lines.join('\n')}\n`
}
