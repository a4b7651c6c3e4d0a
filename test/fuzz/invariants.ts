// What must hold whatever was sent: every stored object can be read in every form, and is the same in each.

import { expect } from 'vitest'
import { type Received, send } from './http-client.ts'

interface Listed {
  readonly items?: readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[]
}

interface Discovered {
  readonly groups?: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[]
  readonly resources?: readonly {
    readonly name: string
    readonly namespaced: boolean
    readonly verbs: readonly string[]
  }[]
}

/** The bytes of every object by its path. */
export type Stored = ReadonlyMap<string, string>

export async function readEverything(port: number): Promise<Stored> {
  const stored = new Map<string, string>()
  for (const root of await roots(port)) {
    const { resources = [] } = JSON.parse(await get(port, root)) as Discovered
    for (const { name, namespaced, verbs } of resources) {
      if (name.includes('/') || !verbs.includes('list')) continue
      await readKind(port, root, name, namespaced, stored)
    }
  }
  return stored
}

async function roots(port: number): Promise<string[]> {
  const { groups = [] } = JSON.parse(await get(port, '/apis')) as Discovered
  return ['/api/v1', ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`))]
}

async function readKind(
  port: number,
  root: string,
  resource: string,
  namespaced: boolean,
  stored: Map<string, string>,
): Promise<void> {
  const path = `${root}/${resource}`
  const list = await get(port, path)
  const { items = [] } = JSON.parse(list) as Listed
  for (const { metadata } of items) {
    const place = namespaced ? `/namespaces/${metadata.namespace}` : ''
    const at = `${root}${place}/${resource}/${encodeURIComponent(metadata.name)}`
    const one = (await get(port, at)).trim()
    // Items of built-in kinds leave out what the list says once.
    const item = one.replace(/^\{"apiVersion":"[^"]*","kind":"[^"]*",/, '{')
    expect(list.includes(one) || list.includes(item), `${at} is in its list as it is alone`).toBe(true)
    stored.set(at, one)
  }
  if (items.length === 0) return
  const table = JSON.parse(await get(port, path, 'application/json;as=Table;v=v1;g=meta.k8s.io'))
  expect(table.rows, path).toHaveLength(items.length)
  expect(await get(port, path, 'application/yaml'), path).toMatch(/^items:|\nitems:/)
  const [first] = items
  if (first) await readForms(port, root, resource, namespaced, first.metadata)
}

async function readForms(
  port: number,
  root: string,
  resource: string,
  namespaced: boolean,
  { name, namespace }: { readonly name: string; readonly namespace?: string },
): Promise<void> {
  const at = `${root}${namespaced ? `/namespaces/${namespace}` : ''}/${resource}/${encodeURIComponent(name)}`
  for (const accept of ['application/yaml', 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'])
    expect(await get(port, at, accept), at).toContain('metadata')
}

async function get(port: number, path: string, accept = 'application/json'): Promise<string> {
  const { status, text }: Received = await send(port, { method: 'GET', path, headers: { accept } })
  expect(status, `GET ${path} as ${accept}: ${text.slice(0, 300)}`).toBe(200)
  return text
}
