// The resource that a reconcile is about, from the kwargs of its Process. Pure.

import type { ApiObject } from '@homeostat/client'
import { PermanentError } from '@homeostat/executor'

export type Fields = Readonly<Record<string, unknown>>

/** An object whose status is read as it comes. */
export interface Observed extends ApiObject {
  readonly status?: unknown
}

export interface Resource {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly generation: number
  readonly isDeleting: boolean
  readonly spec: Fields
  readonly status: Fields
}

export function readResource({ metadata, spec, status }: Fields): Resource {
  const { name, namespace, uid, generation, deletionTimestamp } = fieldsOf(metadata)
  if (typeof name !== 'string' || typeof namespace !== 'string' || typeof uid !== 'string') {
    throw new PermanentError(
      'the Process holds no resource: metadata.name, metadata.namespace and metadata.uid are needed',
    )
  }
  return {
    name,
    namespace,
    uid,
    generation: typeof generation === 'number' ? generation : 0,
    isDeleting: deletionTimestamp !== undefined,
    spec: fieldsOf(spec),
    status: fieldsOf(status),
  }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Ends the reconcile for good, until the spec changes. */
export function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new PermanentError(problems.join('; '))
}
