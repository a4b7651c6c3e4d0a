// The order in which the objects of files are applied: what others need comes first. Pure.

import type { PlacedDocument } from '../../access/documents.ts'

export interface ApplyOrder {
  /** Namespaces, then definitions of kinds. */
  readonly first: readonly PlacedDocument[]
  readonly rest: readonly PlacedDocument[]
  /** The definitions whose kinds are among the rest: they must be served before those are applied. */
  readonly needed: readonly PlacedDocument[]
}

export function applyOrder(documents: readonly PlacedDocument[]): ApplyOrder {
  const namespaces = documents.filter(({ object }) => object.apiVersion === 'v1' && object.kind === 'Namespace')
  const definitions = documents.filter((document) => definedBy(document) !== undefined)
  const first = [...namespaces, ...definitions]
  const rest = documents.filter((document) => !first.includes(document))
  const used = new Set(rest.map(({ object }) => kindKey(groupOf(object.apiVersion), object.kind)))
  return { first, rest, needed: definitions.filter((document) => used.has(definedBy(document) ?? '')) }
}

/** The kind that a definition defines; undefined for any other object. */
function definedBy({ object }: PlacedDocument): string | undefined {
  const isDefinition =
    (groupOf(object.apiVersion) === 'apiextensions.k8s.io' && object.kind === 'CustomResourceDefinition') ||
    (groupOf(object.apiVersion) === 'colonies.io' && /^(Custom)?ResourceDefinition$/.test(object.kind))
  if (!isDefinition) return undefined
  const { group = '', names } = (object.spec ?? {}) as { group?: string; names?: { kind?: string } }
  return kindKey(group, names?.kind ?? '')
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
}

function kindKey(group: string, kind: string): string {
  return `${group}/${kind}`
}
