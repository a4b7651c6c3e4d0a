// Builds the OpenAPI v3 document of one group and version: the paths and schemas of its kinds, and the shared schemas
// that they reference. Every reference resolves, because `kubectl explain` fails at the first that does not.

import { TimeSlice } from '@homeostat/base'
import { GIT_VERSION } from '../ops/version.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { addReferenced, type ComponentText, componentText } from './component-text.ts'
import { kindSchemas } from './kind-schemas.ts'
import type { Schema } from './meta-schemas.ts'
import { resourcePaths } from './paths.ts'
import { sharedSchema } from './shared-schemas.ts'

/** `types` are all of one group and version. `find` returns the schema of a component outside of them. */
export async function buildDocument(
  types: readonly ResourceType[],
  find: (component: string) => Schema = sharedSchema,
  slice = new TimeSlice(),
): Promise<string> {
  const paths = new Map<string, ComponentText>()
  const components = new Map<string, ComponentText>()
  for (const type of types) {
    for (const [path, item] of resourcePaths(type)) paths.set(path, componentText(item))
    for (const [name, schema] of kindSchemas(type)) components.set(name, componentText(schema))
    await slice.next()
  }
  const referred = [...components.values(), ...paths.values()].flatMap(({ references }) => references)
  addReferenced(components, referred, (name) => componentText(find(name)))
  await slice.next()
  const info = JSON.stringify({ title: 'Homeostat', version: GIT_VERSION })
  const parts = `"paths":{${members(paths)}},"components":{"schemas":{${members(components)}}}`
  return `{"openapi":"3.0.0","info":${info},${parts}}`
}

function members(texts: ReadonlyMap<string, ComponentText>): string {
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([name, { json }]) => `${JSON.stringify(name)}:${json}`).join(',')
}
