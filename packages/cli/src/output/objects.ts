// Prints objects as JSON, YAML or names, in the formats of kubectl.

import type { ApiObject } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import type { Terminal } from '../terminal.ts'

export type Output = 'json' | 'yaml' | 'wide' | 'name' | undefined

/** The formats that show objects themselves instead of a table. */
export function showsObjects(output: Output): output is 'json' | 'yaml' | 'name' {
  return output !== undefined && output !== 'wide'
}

export async function printObjects(
  terminal: Terminal,
  output: 'json' | 'yaml' | 'name',
  objects: readonly ApiObject[],
): Promise<void> {
  if (output === 'name') for (const object of objects) terminal.out(`${objectName(object)}\n`)
  else await printObject(terminal, output, listOf(objects))
}

/** The List in which kubectl prints several objects. */
export function listOf(objects: readonly ApiObject[]): ApiObject {
  return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items: objects } as ApiObject
}

export async function printObject(
  terminal: Terminal,
  output: 'json' | 'yaml' | 'name',
  object: ApiObject,
  { managedFields = false }: { readonly managedFields?: boolean } = {},
): Promise<void> {
  if (output === 'name') return terminal.out(`${objectName(object)}\n`)
  terminal.out(await encoded(output, sorted(managedFields ? object : readable(object))))
}

/** As kubectl accepts it, e.g. `executordeployment.compute.colonies.io/web`. */
export function objectName({ apiVersion = '', kind = '', metadata }: ApiObject): string {
  const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : ''
  return `${kind.toLowerCase()}${group}/${metadata.name}`
}

export async function encoded(output: 'json' | 'yaml', value: unknown): Promise<string> {
  if (output === 'json') return `${writeJson(value, 4)}\n`
  // JSON is written without this large package.
  return (await import('yaml')).stringify(value, {
    lineWidth: 0,
    version: '1.1',
    indentSeq: false,
    aliasDuplicateObjects: false,
  })
}

/** Leaves out managedFields, as kubectl does; of a List those of its items. */
export function readable(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata as ApiObject['metadata'] & { managedFields?: unknown }
  const { items } = object as { items?: readonly ApiObject[] }
  return { ...object, metadata, ...(items && { items: items.map(readable) }) }
}

/** Keys in the order of their names at every depth, as kubectl prints them. */
export function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sorted) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)])) as T
}
