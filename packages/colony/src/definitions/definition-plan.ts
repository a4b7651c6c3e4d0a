// What a definition of colonies.io becomes: one CustomResourceDefinition, or a reason why not. Pure.

import { HANDLER_ANNOTATION } from '@homeostat/executor/protocol'
import { type Condition, type KubeObject, type OwnerReference, setCondition, writeJson } from '@homeostat/meta'
import type { ResourceDefinitionSpec } from '../kinds/resource-definition.ts'
import { planVersions, type Refused, type WantedVersion } from './version-plan.ts'

/** The parts of the CustomResourceDefinition that its definition decides. */
export interface Wanted {
  readonly spec: WantedSpec
  /** Undefined: it must not be there. */
  readonly annotations: Readonly<Record<string, string | undefined>>
}

interface WantedSpec {
  readonly group: string
  readonly names: Readonly<Record<string, unknown>>
  readonly scope: string
  readonly versions: readonly WantedVersion[]
}

/** `made`: the CustomResourceDefinition that it has now. */
export function planDefinition({ metadata, ...object }: KubeObject, made?: KubeObject): Wanted | Refused {
  const definition = object.spec as ResourceDefinitionSpec
  const { group, names, scope, handler } = definition
  const name = `${names.plural}.${group}`
  if (metadata.name !== name) {
    return { reason: 'InvalidName', message: `metadata.name must be spec.names.plural + "." + spec.group: ${name}` }
  }
  const { kind, plural, singular, listKind, shortNames } = names
  const versions = planVersions(definition, made)
  if ('reason' in versions) return versions
  return {
    spec: {
      group,
      names: {
        kind,
        plural,
        singular: singular || kind.toLowerCase(),
        listKind: listKind || `${kind}List`,
        ...(shortNames?.length && { shortNames }),
      },
      scope: scope ?? 'Namespaced',
      versions,
    },
    annotations: {
      [HANDLER_ANNOTATION]: handler && writeJson(handlerOf(handler)),
      'homeostat.dev/create-namespaces': 'true',
    },
  }
}

/** Has a fixed order of fields, so that equal handlers are equal strings. */
function handlerOf(handler: NonNullable<ResourceDefinitionSpec['handler']>): object {
  const { executorType, functionName, reconcileInterval, location, locationFrom, softwareFrom } = handler
  return {
    executorType,
    functionName,
    ...(reconcileInterval && { reconcileInterval }),
    ...(location && { location }),
    ...(locationFrom?.length && { locationFrom }),
    ...(softwareFrom?.length && { softwareFrom }),
  }
}

export function ownerOf({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  const { name = '', uid = '' } = metadata
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

export function isOwned(made: KubeObject, by: KubeObject): boolean {
  return made.metadata.ownerReferences?.some(({ uid }) => uid === by.metadata.uid) ?? false
}

/** Somebody else's definition of the kind is in force; or it was, and is on its way out. */
export function namesConflict({ kind, metadata }: KubeObject, other: KubeObject | undefined): Refused {
  const [owner] = other?.metadata.ownerReferences ?? []
  const isPredecessor =
    owner?.apiVersion.startsWith('colonies.io/') && owner.kind === kind && owner.name === metadata.name
  if (isPredecessor || other?.metadata.deletionTimestamp !== undefined) {
    return {
      reason: 'Terminating',
      message: 'a CustomResourceDefinition of this name is being deleted; this one is next',
    }
  }
  const from = owner ? `was made from ${owner.apiVersion} ${owner.kind}` : 'was not made from this definition'
  const message = `another schema is in force: the CustomResourceDefinition of this name ${from}. Delete that one, then create this one anew`
  return { reason: NAMES_CONFLICT, message }
}

const NAMES_CONFLICT = 'NamesConflict'

/**
 * One that was refused since another had its name stays so when the other goes: a schema that nobody expects any more must not
 * come into force by itself, perhaps years later. Undefined when it may be made.
 */
export function refusedBefore({ metadata, status }: KubeObject, made: KubeObject | undefined): Refused | undefined {
  if (made !== undefined && made.metadata.deletionTimestamp === undefined) return undefined
  const { conditions } = (status ?? {}) as DefinitionStatus
  const accepted = conditions?.find(({ type }) => type === 'Accepted')
  if (accepted?.status !== 'False' || accepted.reason !== NAMES_CONFLICT) return undefined
  if (accepted.observedGeneration !== (metadata.generation ?? 0)) return undefined
  const message =
    'another had its name when it was written, and is gone: delete this one and create it anew, or change it'
  return { reason: NAMES_CONFLICT, message }
}

export interface DefinitionStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly Condition[]
}

/** `made`: the CustomResourceDefinition as it is now. */
export function definitionStatus(
  definition: KubeObject,
  refused: Refused | undefined,
  made: KubeObject | undefined,
  now: number,
): DefinitionStatus {
  const { generation: observedGeneration = 0 } = definition.metadata
  const { conditions: before = [] } = (definition.status ?? {}) as DefinitionStatus
  const accepted = refused
    ? ({ status: 'False', ...refused } as const)
    : ({ status: 'True', reason: 'Accepted', message: '' } as const)
  const { status, reason, message } = established(made)
  const news = [
    { type: 'Accepted', ...accepted, observedGeneration },
    { type: 'Established', status, reason, message, observedGeneration },
  ]
  return {
    observedGeneration,
    conditions: news.reduce((all, next) => setCondition(all, next, now), before) as Condition[],
  }
}

function established(made: KubeObject | undefined): Pick<Condition, 'status' | 'reason' | 'message'> {
  if (made === undefined) return { status: 'False', reason: 'NotMade', message: 'its kind is not served' }
  if (made.metadata.deletionTimestamp !== undefined) {
    return { status: 'False', reason: 'Terminating', message: 'its kind is being deleted, and made again afterwards' }
  }
  const { conditions } = (made.status ?? {}) as { conditions?: readonly Condition[] }
  const known = conditions ?? []
  const names = known.find(({ type, status }) => type === 'NamesAccepted' && status === 'False')
  return (
    names ?? known.find(({ type }) => type === 'Established') ?? { status: 'False', reason: 'Pending', message: '' }
  )
}
