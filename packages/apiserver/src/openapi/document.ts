// Builds the OpenAPI document of one group and version: the paths and schemas of its kinds, and whatever shared
// schemas those refer to. A reference never leads nowhere, because `kubectl explain` gives up at the first that does.

import type { ResourceType } from '../registry/resource-type.ts'
import { kindSchemas } from './kind-schemas.ts'
import { SHARED_SCHEMAS } from './meta-schemas.ts'
import { resourcePaths } from './paths.ts'

const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g

/** A schema as text, with the names of those it refers to. */
interface Component {
  readonly json: string
  readonly references: readonly string[]
}

/** Written out once: every document has most of them. */
const SHARED = new Map([...SHARED_SCHEMAS].map(([name, schema]) => [name, component(schema)]))
/** What is unknown is published as anything at all, which is what a client may assume of it. */
const ANYTHING = component({})

/** `types` are all of one group and version. `version` is the server's, for the title page. */
export function buildDocument(types: readonly ResourceType[], version: string): string {
  const sorted = [...types].sort((a, b) => (a.resource < b.resource ? -1 : 1))
  const paths = component(Object.fromEntries(sorted.flatMap(resourcePaths).sort(byKey)))
  const components = new Map(sorted.flatMap(kindSchemas).map(([name, schema]) => [name, component(schema)]))
  addShared(
    components,
    [...components.values(), paths].flatMap(({ references }) => references),
  )
  const schemas = [...components].sort(byKey).map(([name, { json }]) => `${JSON.stringify(name)}:${json}`)
  const info = JSON.stringify({ title: 'Homeostat', version })
  return `{"openapi":"3.0.0","info":${info},"paths":${paths.json},"components":{"schemas":{${schemas.join(',')}}}}`
}

function addShared(components: Map<string, Component>, pending: string[]): void {
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (components.has(name)) continue
    const shared = SHARED.get(name) ?? ANYTHING
    components.set(name, shared)
    pending.push(...shared.references)
  }
}

function component(value: object): Component {
  const json = JSON.stringify(value)
  return { json, references: [...new Set([...json.matchAll(REFERENCE)].map((match) => match[1] ?? ''))] }
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1
}
