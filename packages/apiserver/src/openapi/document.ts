// Builds the OpenAPI document of one group and version: the paths and schemas of its kinds, and whatever shared
// schemas those refer to. A reference never leads nowhere, because `kubectl explain` gives up at the first that does.

import type { ResourceType } from '../registry/resource-type.ts'
import { kindSchemas } from './kind-schemas.ts'
import { type Schema, SHARED_SCHEMAS } from './meta-schemas.ts'
import { resourcePaths } from './paths.ts'

const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g

/** `types` are all of one group and version. `version` is the server's, for the title page. */
export function buildDocument(types: readonly ResourceType[], version: string): string {
  const sorted = [...types].sort((a, b) => (a.resource < b.resource ? -1 : 1))
  const paths = Object.fromEntries(sorted.flatMap(resourcePaths).sort(byKey))
  const own = sorted.flatMap(kindSchemas)
  const head = JSON.stringify({ openapi: '3.0.0', info: { title: 'Homeostat', version }, paths })
  const schemas = JSON.stringify(Object.fromEntries([...own, ...shared(head, own)].sort(byKey)))
  return `${head.slice(0, -1)},"components":{"schemas":${schemas}}}`
}

function shared(paths: string, own: readonly [string, Schema][]): [string, Schema][] {
  const defined = new Set(own.map(([name]) => name))
  const found: [string, Schema][] = []
  const pending = [...references(paths), ...own.flatMap(([, schema]) => references(JSON.stringify(schema)))]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (defined.has(name)) continue
    defined.add(name)
    // What is unknown is published as anything at all, which is what a client may assume of it.
    const schema = SHARED_SCHEMAS.get(name) ?? {}
    found.push([name, schema])
    pending.push(...references(JSON.stringify(schema)))
  }
  return found
}

function references(json: string): string[] {
  return [...new Set([...json.matchAll(REFERENCE)].map((match) => match[1] ?? ''))]
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1
}
