// Names an operator's finalizer, and recognises those that its earlier versions added. Pure. It never matches by
// prefix: another operator's finalizer in the same group must not be removed.

import type { ApiObject } from '@homeostat/client'
import { parseGroupVersion } from '@homeostat/meta'

/** The names of an operator, current and former. */
export interface OperatorNames {
  readonly fieldManager: string
  /** The author gave the name. Otherwise it is derived from the first kind and changes with their order. */
  readonly isGiven: boolean
  /** Listed by the author. */
  readonly formerNames: readonly string[]
  /** Default names for the same kinds in any order. */
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

/**
 * The finalizer of a kind that the operator defines. It depends neither on the operator's name nor on watching or
 * pulling.
 */
export function definedFinalizer(apiVersion: string): string {
  return `${groupOf(apiVersion)}/finalizer`
}

/**
 * The finalizer for any other kind, e.g. `example.com/shop-operator`: operators of one kind need different finalizers.
 */
export function namedFinalizer(apiVersion: string, operatorName: string): string {
  const name = operatorName
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, MAX_NAME)
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
  return `${groupOf(apiVersion)}/${name === '' ? 'operator' : name}`
}

/** The finalizers on `object` that this operator added under a former name or naming rule. */
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
 * Managers that added a finalizer and applied the status. For a kind that an operator defines only that operator does
 * both, so these are its former names; other programs with a finalizer leave the status alone.
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
