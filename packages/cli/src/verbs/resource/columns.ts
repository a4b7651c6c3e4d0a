// The columns of tables of resources.

import type { ApiObject } from '@homeostat/client'
import { type DefinedKind, handlerText } from '../../access/definitions.ts'
import { AGE, conditionOf, NAMESPACE, toneOf } from '../../output/cells.ts'
import type { Column } from '../../output/table.ts'

interface ColumnOptions {
  readonly kinds: readonly DefinedKind[]
  readonly namespaces?: boolean
  /** In a table of several kinds a name is KIND/NAME, as the verbs accept it. */
  readonly qualified?: boolean
}

export function resourceColumns({ kinds, namespaces, qualified }: ColumnOptions): Column<ApiObject>[] {
  return [
    ...(namespaces ? [NAMESPACE] : []),
    ...(qualified ? [] : [{ header: 'KIND', text: ({ kind }: ApiObject) => kind ?? '' }]),
    {
      header: 'NAME',
      text: ({ kind, metadata }) => (qualified ? `${kind}/${metadata.name}` : (metadata.name ?? '')),
      firm: true,
    },
    { header: 'READY', text: readyText, tone: toneOf },
    { header: 'PROGRESSING', text: progressingText },
    { header: 'GENERATION/OBSERVED', text: generations },
    { header: 'HANDLER', text: (object) => handlerText(kindOf(kinds, object)?.handler), wide: true },
    AGE,
    { header: 'MESSAGE', text: messageOf, wide: true },
  ]
}

/** The last row of a resource, after its deletion. */
export function goneResource(object: ApiObject): ApiObject {
  return { ...object, status: { conditions: [{ type: 'Ready', status: 'Deleted' }] } } as ApiObject
}

export function observedGeneration(object: ApiObject): number | undefined {
  const observed = (object as { status?: { observedGeneration?: unknown } }).status?.observedGeneration
  return typeof observed === 'number' ? observed : undefined
}

function readyText(object: ApiObject): string {
  return conditionOf(object, 'Ready')?.status ?? ''
}

function progressingText(object: ApiObject): string {
  if (object.metadata.deletionTimestamp !== undefined && readyText(object) !== 'Deleted') return 'Deleting'
  return conditionOf(object, 'Progressing')?.status ?? ''
}

function generations(object: ApiObject): string {
  return `${object.metadata.generation ?? '-'}/${observedGeneration(object) ?? '-'}`
}

function messageOf(object: ApiObject): string {
  const conditions = ['Ready', 'Progressing'].map((type) => conditionOf(object, type))
  return conditions.find((condition) => condition?.message)?.message ?? ''
}

function kindOf(kinds: readonly DefinedKind[], { apiVersion = '', kind }: ApiObject): DefinedKind | undefined {
  return kinds.find((known) => known.kind === kind && apiVersion.startsWith(`${known.group}/`))
}
