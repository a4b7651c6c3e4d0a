// What the finalizer of an operator is called, and which finalizers on an object are its own from earlier versions. Pure.
// Nothing is ever recognised by a prefix: a finalizer of somebody else in the same group must not be taken off.

import type { ApiObject } from '@homeostat/client'
import { parseGroupVersion } from '@homeostat/meta'

/** What an operator is called, and what it may have been called. */
export interface OperatorNames {
  readonly fieldManager: string
  /** The author gave the name. Otherwise it follows from the first kind, so that another order of kinds changes it. */
  readonly isGiven: boolean
  /** As the author lists them. */
  readonly formerNames: readonly string[]
  /** What a `run` of the same kinds, in any order, is called when the author gives no name. */
  readonly defaultNames: readonly string[]
}

/** Part of a managed fields entry. */
export interface ManagedEntry {
  readonly manager?: string
  readonly operation?: string
  readonly subresource?: string
  readonly fieldsV1?: object
}

const MAX_NAME = 63

/** For a kind that the operator defines: whatever the operator is called, and whether it watches or pulls. */
export function definedFinalizer(apiVersion: string): string {
  return `${groupOf(apiVersion)}/finalizer`
}

/** For any other kind: `example.com/shop-operator`. Operators that clean up for the same kind differ by their names. */
export function namedFinalizer(apiVersion: string, operatorName: string): string {
  const name = operatorName
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, MAX_NAME)
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
  return `${groupOf(apiVersion)}/${name === '' ? 'operator' : name}`
}

/** Those of `object` that this operator put there under another name or by another rule. */
export function formerFinalizers(
  { apiVersion, metadata }: ApiObject,
  names: OperatorNames,
  options: { readonly isDefined: boolean; readonly predecessors: readonly string[] },
): readonly string[] {
  const { finalizers = [] } = metadata
  if (finalizers.length === 0) return finalizers
  const { isDefined, predecessors } = options
  const managers = isDefined
    ? [names.fieldManager, ...names.formerNames, ...names.defaultNames, ...predecessors]
    : names.formerNames
  const current = isDefined ? definedFinalizer(apiVersion) : namedFinalizer(apiVersion, names.fieldManager)
  const former = new Set(managers.map((manager) => namedFinalizer(apiVersion, manager)))
  return finalizers.filter((finalizer) => finalizer !== current && former.has(finalizer))
}

/**
 * Managers that put a finalizer on the object and applied its status. Of a kind that an operator defines, only the operator
 * itself does both, so these are its earlier names. Others that clean up for the kind leave its status alone.
 */
export function predecessorsOf(entries: readonly ManagedEntry[]): readonly string[] {
  const reports = (manager: string | undefined) =>
    entries.some((one) => one.manager === manager && one.operation === 'Apply' && one.subresource === 'status')
  return entries.flatMap(({ manager, operation, fieldsV1 }) =>
    manager !== undefined && operation === 'Update' && ownsFinalizer(fieldsV1) && reports(manager) ? [manager] : [],
  )
}

function ownsFinalizer(fields: object | undefined): boolean {
  const { 'f:metadata': metadata } = (fields ?? {}) as { 'f:metadata'?: object }
  return metadata !== undefined && 'f:finalizers' in metadata
}

function groupOf(apiVersion: string): string {
  return parseGroupVersion(apiVersion)?.group || 'homeostat.dev'
}
