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
  else {
    const list = { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items: objects.map(readable) }
    terminal.out(await encoded(output, list))
  }
}

export async function printObject(
  terminal: Terminal,
  output: 'json' | 'yaml' | 'name',
  object: ApiObject,
): Promise<void> {
  terminal.out(output === 'name' ? `${objectName(object)}\n` : await encoded(output, readable(object)))
}

/** As kubectl accepts it, e.g. `executordeployment.compute.colonies.io/web`. */
export function objectName({ apiVersion = '', kind = '', metadata }: ApiObject): string {
  const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : ''
  return `${kind.toLowerCase()}${group}/${metadata.name}`
}

async function encoded(output: 'json' | 'yaml', value: unknown): Promise<string> {
  if (output === 'json') return `${writeJson(value, 2)}\n`
  return (await import('yaml')).stringify(value, { lineWidth: 0, version: '1.1' })
}

/** Leaves out managedFields, as kubectl does. */
function readable(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata as ApiObject['metadata'] & { managedFields?: unknown }
  return { ...object, metadata }
}
