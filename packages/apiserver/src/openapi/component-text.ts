// Encodes a part of a document and finds the components that it references, directly and through others.

import { writeJson } from '@homeostat/meta'

export interface ComponentText {
  readonly json: string
  readonly references: readonly string[]
}

const REFERENCE = /"\$ref":"#\/(?:components\/schemas|definitions)\/([^"]+)"/g

export function componentText(value: object): ComponentText {
  const json = writeJson(value)
  return { json, references: [...new Set([...json.matchAll(REFERENCE)].map((match) => match[1] ?? ''))] }
}

/** Adds every component that is reachable from `names` and not in the map yet. */
export function addReferenced<T extends { readonly references: readonly string[] }>(
  components: Map<string, T>,
  names: readonly string[],
  find: (name: string) => T,
): void {
  const pending = [...names]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (components.has(name)) continue
    const found = find(name)
    components.set(name, found)
    pending.push(...found.references)
  }
}
