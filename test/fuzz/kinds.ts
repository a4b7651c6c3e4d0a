// The built-in kinds that can be created, with their schemas, as the server publishes them.

import { type Received, send } from './http-client.ts'
import type { Kind } from './requests.ts'
import type { Schema } from './schema-objects.ts'

interface OpenApi {
  readonly paths: Record<string, { readonly post?: { readonly 'x-kubernetes-group-version-kind'?: GroupVersionKind } }>
  readonly components: { readonly schemas: Record<string, Schema> }
}

interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export async function publishedKinds(port: number): Promise<Kind[]> {
  const index = JSON.parse((await get(port, '/openapi/v3')).text) as { paths: Record<string, unknown> }
  const kinds: Kind[] = []
  for (const root of Object.keys(index.paths)) {
    if (!/^apis?\/.*v\d/.test(root)) continue
    const { paths, components } = JSON.parse((await get(port, `/openapi/v3/${root}`)).text) as OpenApi
    for (const [path, { post }] of Object.entries(paths)) {
      const gvk = post?.['x-kubernetes-group-version-kind']
      if (gvk && !path.includes('{name}')) kinds.push(...kindAt(path, `/${root}`, gvk, components.schemas))
    }
  }
  return kinds
}

function kindAt(path: string, root: string, gvk: GroupVersionKind, named: Record<string, Schema>): Kind[] {
  const schema = Object.values(named).find((one) => {
    const kinds = one['x-kubernetes-group-version-kind'] as readonly GroupVersionKind[] | undefined
    return kinds?.some(
      ({ group, version, kind }) => group === gvk.group && version === gvk.version && kind === gvk.kind,
    )
  })
  if (!schema) return []
  return [
    {
      root,
      apiVersion: gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`,
      kind: gvk.kind,
      resource: path.slice(path.lastIndexOf('/') + 1),
      namespaced: path.includes('{namespace}'),
      schema,
      named,
    },
  ]
}

function get(port: number, path: string): Promise<Received> {
  return send(port, { method: 'GET', path })
}
