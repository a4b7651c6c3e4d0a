// Reads objects as the tables that servers make of them. `homeostat get` calls it.

import type { ApiObject, Client } from '@homeostat/client'
import { type ListSelection, readPages } from './objects.ts'
import { objectPath } from './paths.ts'
import type { ServedKind } from './served-kinds.ts'

export interface ServerTable {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly TableRow[]
  /** The revision of the list; empty for a single object. */
  readonly revision: string
}

export interface TableColumn {
  readonly name: string
  /** `name` for the column with the object's name. */
  readonly format?: string
  /** Above 0 only in wide tables. */
  readonly priority?: number
}

export interface TableRow {
  readonly cells: readonly unknown[]
  /** Its metadata, or with `whole` the object itself. */
  readonly object: ApiObject
}

/** A server that makes no tables of a kind answers with the objects. */
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

export async function readTable(
  client: Client,
  kind: ServedKind,
  { namespace = '', name }: { readonly namespace: string | undefined; readonly name: string },
  whole = false,
): Promise<ServerTable> {
  const path = `${objectPath(kind, namespace, name)}${whole ? '?includeObject=Object' : ''}`
  return tableIn(await client.requestJson({ method: 'GET', path, headers: { accept: TABLE } }))
}

export async function listTable(
  client: Client,
  kind: ServedKind,
  selection: ListSelection,
  whole = false,
): Promise<ServerTable> {
  const pages = await readPages<object>(client, kind, selection, TABLE, whole ? { includeObject: 'Object' } : {})
  const tables = pages.map(tableIn)
  const columns = tables[0]?.columns ?? []
  return { columns, rows: tables.flatMap(({ rows }) => rows), revision: tables.at(-1)?.revision ?? '' }
}

interface Answer {
  readonly kind?: string
  readonly metadata?: { readonly resourceVersion?: string }
  readonly columnDefinitions?: readonly TableColumn[] | null
  readonly rows?: readonly TableRow[] | null
  readonly items?: readonly ApiObject[] | null
}

export function tableIn(answer: unknown): ServerTable {
  const { kind, metadata, columnDefinitions, rows, items } = answer as Answer
  const revision = metadata?.resourceVersion ?? ''
  if (kind === 'Table') return { columns: columnDefinitions ?? [], rows: rows ?? [], revision }
  const objects = items ?? [answer as ApiObject]
  return {
    columns: [{ name: 'Name', format: 'name' }],
    rows: objects.map((object) => ({ cells: [object.metadata.name ?? ''], object })),
    revision,
  }
}
