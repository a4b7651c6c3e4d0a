// Builds the OpenAPI v3 document of one group and version: the paths and schemas of its kinds, and whatever shared
// schemas those refer to. A reference never leads nowhere, because `kubectl explain` gives up at the first that does.

import type { ResourceType } from '../registry/resource-type.ts'
import { addReferred, type ComponentText, componentText } from './component-text.ts'
import { kindSchemas } from './kind-schemas.ts'
import { resourcePaths } from './paths.ts'
import { sharedSchema } from './shared-schemas.ts'
import { Turns } from './turns.ts'

/** `types` are all of one group and version. `version` is the server's, for the title page. */
export async function buildDocument(
  types: readonly ResourceType[],
  version: string,
  turns = new Turns(),
): Promise<string> {
  const paths = new Map<string, ComponentText>()
  const components = new Map<string, ComponentText>()
  for (const type of types) {
    for (const [path, item] of resourcePaths(type)) paths.set(path, componentText(item))
    for (const [name, schema] of kindSchemas(type)) components.set(name, componentText(schema))
    await turns.next()
  }
  const referred = [...components.values(), ...paths.values()].flatMap(({ references }) => references)
  addReferred(components, referred, shared)
  await turns.next()
  const info = JSON.stringify({ title: 'Homeostat', version })
  const parts = `"paths":{${members(paths)}},"components":{"schemas":{${members(components)}}}`
  return `{"openapi":"3.0.0","info":${info},${parts}}`
}

function shared(name: string): ComponentText {
  let text = written.get(name)
  if (!text) {
    text = componentText(sharedSchema(name))
    // Anything at all may be referred to by definitions: only what we know of is kept.
    if (text.json !== '{}') written.set(name, text)
  }
  return text
}

/** Written out once: every document has most of them. */
const written = new Map<string, ComponentText>()

function members(texts: ReadonlyMap<string, ComponentText>): string {
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([name, { json }]) => `${JSON.stringify(name)}:${json}`).join(',')
}
