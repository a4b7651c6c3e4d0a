// Renders objects as a meta.k8s.io Table, which `kubectl get` prints. Reads and watches call it for clients that accept
// tables. It only reads the objects and references them, or their metadata, in the rows.

import type { KubeObject } from '@homeostat/meta'
import type { Column, ResourceType } from '../registry/resource-type.ts'

export type IncludeObject = 'None' | 'Metadata' | 'Object'
export type MetaVersion = 'meta.k8s.io/v1' | 'meta.k8s.io/v1beta1'

export interface TableOptions {
  /** The part of its object that each row includes. */
  readonly includeObject: IncludeObject
  /** Milliseconds since the epoch; ages are relative to it. */
  readonly now: number
  /** False for every table of a watch but the first. */
  readonly withColumns: boolean
  readonly listMeta: {
    readonly resourceVersion?: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  /** Default: meta.k8s.io/v1. */
  readonly apiVersion?: MetaVersion
}

export interface Table {
  readonly kind: 'Table'
  readonly apiVersion: MetaVersion
  readonly metadata: TableOptions['listMeta']
  readonly columnDefinitions: readonly ColumnDefinition[] | null
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: object | null }[]
}

type ColumnDefinition = Omit<Column, 'cell'>

export function renderTable(
  type: Pick<ResourceType, 'columns'>,
  objects: readonly KubeObject[],
  options: TableOptions,
): Table {
  const { includeObject, now, apiVersion = 'meta.k8s.io/v1' } = options
  return {
    kind: 'Table',
    apiVersion,
    metadata: listMeta(options.listMeta),
    columnDefinitions: options.withColumns ? type.columns.map(definition) : null,
    rows: objects.map((object) => ({
      cells: type.columns.map((column) => column.cell(object, now) ?? null),
      object: rowObject(object, includeObject, apiVersion),
    })),
  }
}

function listMeta({ resourceVersion, continue: token, remainingItemCount }: TableOptions['listMeta']) {
  return {
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(token ? { continue: token } : {}),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  }
}

function definition({ name, type, format, description, priority }: Column): ColumnDefinition {
  return { name, type, format, description, priority }
}

function rowObject(object: KubeObject, include: IncludeObject, apiVersion: MetaVersion): object | null {
  if (include === 'None') return null
  if (include === 'Object') return object
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata }
}
