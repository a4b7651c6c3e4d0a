// Resolves owners that an annotation names as JSON, such as [{"kind":"Application","name":"shop"}]. Pure. An owner that does
// not exist yet is awaited; this never removes an owner.

import { messageOf } from '@homeostat/base'
import type { KubeObject, OwnerReference } from '@homeostat/meta'
import type { HandledKind } from './handled-kind.ts'

export const OWNERS_ANNOTATION = 'ownerReferences'
export const OWNERS_CONDITION = 'OwnersResolved'

export interface OwnerLookup {
  kinds(kind: string, group: string | undefined): readonly HandledKind[]
  find(kind: HandledKind, name: { readonly namespace?: string; readonly name: string }): KubeObject | undefined
}

export interface OwnersPlan {
  /** Owner references to add. */
  readonly add: readonly OwnerReference[]
  /** Kinds and names of the missing owners, in lower case. */
  readonly awaited: readonly string[]
  /** Why owners are missing; undefined when all exist. */
  readonly problem: { readonly reason: string; readonly message: string } | undefined
}

/** Undefined without the annotation. */
export function planOwners(object: KubeObject, lookup: OwnerLookup): OwnersPlan | undefined {
  const text = object.metadata.annotations?.[OWNERS_ANNOTATION]
  if (text === undefined) return undefined
  const wanted = readOwners(text)
  if (typeof wanted === 'string')
    return { add: [], awaited: [], problem: { reason: 'InvalidAnnotation', message: wanted } }
  const known = new Set(object.metadata.ownerReferences?.map(({ uid }) => uid))
  const add: OwnerReference[] = []
  const awaited: string[] = []
  let problem: OwnersPlan['problem']
  for (const owner of wanted) {
    const found = resolve(object, owner, lookup)
    if ('reason' in found) {
      problem ??= found
      awaited.push(owner.kind.toLowerCase(), owner.name.toLowerCase())
    } else if (!known.has(found.uid)) add.push(found)
  }
  return { add, awaited, problem }
}

interface WantedOwner {
  readonly kind: string
  readonly name: string
  readonly apiVersion?: string
}

function readOwners(text: string): readonly WantedOwner[] | string {
  const rule = `annotation ${OWNERS_ANNOTATION} must be a JSON list of {"kind","name"}`
  try {
    const value: unknown = JSON.parse(text)
    const isOwner = (one: unknown) => {
      const { kind, name, apiVersion = '' } = (one ?? {}) as Record<string, unknown>
      return [kind, name, apiVersion].every((field) => typeof field === 'string')
    }
    return Array.isArray(value) && value.every(isOwner) ? (value as WantedOwner[]) : rule
  } catch (error) {
    return `${rule}: ${messageOf(error)}`
  }
}

type Problem = NonNullable<OwnersPlan['problem']>

function resolve(object: KubeObject, owner: WantedOwner, lookup: OwnerLookup): OwnerReference | Problem {
  const { kind: word, name, apiVersion } = owner
  const kinds = lookup.kinds(word, apiVersion?.split('/')[0])
  const [kind, second] = kinds
  if (kind === undefined) {
    return { reason: 'UnknownKind', message: `no definition with a handler has the kind ${word}` }
  }
  if (second !== undefined) {
    const groups = kinds.map((one) => `${one.kind}.${one.resource.group}`).sort()
    return { reason: 'AmbiguousKind', message: `${word} may be ${groups.join(' or ')}: give its apiVersion` }
  }
  const { namespace } = object.metadata
  if (kind.namespaced && namespace === undefined) {
    return { reason: 'InvalidOwner', message: `${kind.kind} ${name} has a namespace and cannot own what has none` }
  }
  const found = lookup.find(kind, kind.namespaced && namespace !== undefined ? { namespace, name } : { name })
  if (found?.metadata.uid === undefined || found.metadata.deletionTimestamp !== undefined) {
    return { reason: 'OwnerNotFound', message: `${kind.kind} ${name} is not there` }
  }
  return { apiVersion: kind.apiVersion, kind: kind.kind, name, uid: found.metadata.uid }
}
