// The rights that follow from what an operator declares anyway: its kinds, its children's kinds, watch rules and caches,
// Events, leases and definitions. Pure. What else its functions read and write is declared as `access`.

import type { ApiObject } from '@homeostat/client'
import { parseGroupVersion } from '@homeostat/meta'
import { pluralOf } from '../definition/kind-names.ts'
import type { NeededRule } from '../runtime/access-rule.ts'
import type { Controlled } from '../runtime/controlled.ts'
import type { KindRef } from '../runtime/object-key.ts'
import { isClusterKind } from './cluster-kinds.ts'

export interface Declared {
  readonly controlled: readonly Controlled[]
  /** Of kinds that reads use, by `apiVersion/Kind`. */
  readonly caches: Readonly<Record<string, { readonly namespace?: string }>>
  /** Undefined: all. */
  readonly namespaces: readonly string[] | undefined
  /** Whether Events go to the API. */
  readonly events: boolean
  /** Whether it serves the namespaces with certain labels. */
  readonly selectsNamespaces: boolean
  /** The Lease of the leader, or those of shards. */
  readonly leases?: { readonly name: string; readonly namespace: string; readonly isShared: boolean } | undefined
  /** Whether the operator installs its definitions itself. */
  readonly installs: boolean
  /** The name of its webhook configurations. */
  readonly configuration: string
  /** The colony from which it pulls, and the type of its executors. */
  readonly colony?: { readonly namespace: string; readonly executorType: string } | undefined
}

export function impliedRules(declared: Declared): NeededRule[] {
  return [
    ...declared.controlled.flatMap((one) => kindRules(one, declared)),
    ...childRules(declared),
    ...readRules(declared),
    ...eventRules(declared),
    ...namespaceRules(declared),
    ...leaseRules(declared),
    ...definitionRules(declared),
    ...webhookRules(declared),
    ...colonyRules(declared),
  ]
}

function kindRules(controlled: Controlled, { colony }: Declared): NeededRule[] {
  const { apiVersion, kind, definition, reports = definition !== undefined, cleansUp } = controlled
  const { group, resource } = resourceOf(apiVersion, kind, definition)
  const namespaces = isClusterScoped(controlled) ? ({ namespaces: 'all' } as const) : {}
  const rule = (why: string, path: string, verbs: readonly string[]) => ({
    why,
    apiGroups: [group],
    resources: [path],
    verbs,
    ...namespaces,
  })
  // Without a definition it is unknown whether the kind has a subresource for its status.
  const writes = definition !== undefined || cleansUp || reports || colony !== undefined
  const read = colony === undefined ? ['get', 'list', 'watch'] : ['get']
  return [
    rule(
      writes ? `${kind} itself, with its finalizer` : `${kind} itself`,
      resource,
      writes ? [...read, 'patch'] : read,
    ),
    ...(reports && colony === undefined ? [rule(`the status of ${kind}`, `${resource}/status`, ['patch'])] : []),
    // Children have the object as an owner that blocks its deletion, which some clusters check.
    ...(definition !== undefined
      ? [rule(`${kind} as the owner of its children`, `${resource}/finalizers`, ['update'])]
      : []),
  ]
}

/** An apply that creates is a patch and a create, pruning is a delete, and children are read through the cache. */
const CHILD_VERBS = ['get', 'list', 'watch', 'create', 'patch', 'delete']

function childRules({ controlled }: Declared): NeededRule[] {
  return controlled.flatMap(({ kind: parent, children = [] }) =>
    children.map((id) => {
      const { apiVersion, kind } = kindIn(id)
      const own = controlled.find((one) => one.apiVersion === apiVersion && one.kind === kind)
      const { group, resource } = resourceOf(apiVersion, kind, own?.definition)
      return {
        why: `${kind}, a child of ${parent}`,
        apiGroups: [group],
        resources: [resource],
        verbs: CHILD_VERBS,
        ...(isClusterScoped(own ?? { apiVersion, kind }) && { namespaces: 'all' as const }),
      }
    }),
  )
}

function readRules({ controlled, caches }: Declared): NeededRule[] {
  const idOf = ({ apiVersion, kind }: KindRef) => `${apiVersion}/${kind}`
  const own = new Set(controlled.map(idOf))
  const watched = controlled.flatMap(({ watches = [] }) => watches.map(idOf))
  return [...new Set([...watched, ...Object.keys(caches)])]
    .filter((id) => !own.has(id))
    .map((id) => {
      const { apiVersion, kind } = kindIn(id)
      const { group, resource } = resourceOf(apiVersion, kind)
      const { namespace } = caches[id] ?? {}
      return {
        why: `${kind}, which it watches`,
        apiGroups: [group],
        resources: [resource],
        verbs: ['get', 'list', 'watch'],
        ...(isClusterScoped({ apiVersion, kind }) && { namespaces: 'all' as const }),
        ...(namespace !== undefined && { namespaces: [namespace] }),
      }
    })
}

function eventRules({ controlled, events, namespaces }: Declared): NeededRule[] {
  if (!events) return []
  const rule = { why: 'Events', apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] }
  // Events about an object without a namespace are in `default`.
  const elsewhere = namespaces && !namespaces.includes('default') && controlled.some(isClusterScoped)
  return elsewhere ? [rule, { ...rule, namespaces: ['default'] }] : [rule]
}

function namespaceRules({ selectsNamespaces }: Declared): NeededRule[] {
  if (!selectsNamespaces) return []
  const why = 'the labels of Namespaces'
  return [{ why, apiGroups: [''], resources: ['namespaces'], verbs: ['list', 'watch'], namespaces: 'all' }]
}

function leaseRules({ leases }: Declared): NeededRule[] {
  if (leases === undefined) return []
  const rule = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: [leases.namespace] }
  if (leases.isShared) {
    // Their names come and go with the processes.
    return [{ ...rule, why: 'the Leases of its shards', verbs: ['list', 'watch', 'create', 'update', 'delete'] }]
  }
  const why = 'the Lease of the leader'
  return [
    { ...rule, why, verbs: ['create'] },
    { ...rule, why, verbs: ['get', 'update'], resourceNames: [leases.name] },
  ]
}

function definitionRules({ controlled, installs, colony }: Declared): NeededRule[] {
  const resourceNames = controlled.flatMap(({ definition }) => definition?.metadata.name ?? [])
  if (resourceNames.length === 0) return []
  const rule = {
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    namespaces: 'all' as const,
  }
  if (installs) {
    const why = 'its definitions, which it installs itself'
    return [
      { ...rule, why, verbs: ['create'] },
      { ...rule, why, verbs: ['get', 'update', 'watch'], resourceNames },
    ]
  }
  const converts = controlled.flatMap(({ definition, webhooks }) =>
    webhooks?.convert === undefined ? [] : (definition?.metadata.name ?? []),
  )
  if (converts.length > 0) {
    const why = 'its definitions, which say that it converts'
    return [{ ...rule, why, verbs: ['get', 'update', 'watch'], resourceNames: converts }]
  }
  // A colony hands out the objects of a kind whose definition names a handler.
  return colony === undefined
    ? []
    : [{ ...rule, why: 'the handlers in its definitions', verbs: ['get'], resourceNames }]
}

/** A create has no name yet that a rule could give. */
function webhookRules({ controlled, configuration }: Declared): NeededRule[] {
  const purposes = (['validate', 'mutate'] as const).filter((purpose) =>
    controlled.some(({ webhooks }) => webhooks?.[purpose] !== undefined),
  )
  const why = 'its webhooks, which it registers itself'
  return purposes.flatMap((purpose) => {
    const resources = [purpose === 'validate' ? 'validatingwebhookconfigurations' : 'mutatingwebhookconfigurations']
    const rule = { why, apiGroups: ['admissionregistration.k8s.io'], resources, namespaces: 'all' as const }
    return [
      { ...rule, verbs: ['create'] },
      { ...rule, verbs: ['get', 'update', 'delete'], resourceNames: [configuration] },
    ]
  })
}

function colonyRules({ colony }: Declared): NeededRule[] {
  if (colony === undefined) return []
  const rule = { why: 'the queue of the colony', apiGroups: ['colonies.io'], namespaces: [colony.namespace] }
  return [
    { ...rule, resources: ['executors'], verbs: ['create', 'delete', 'patch'] },
    { ...rule, resources: ['executors/assign', 'executors/heartbeat', 'processes/log'], verbs: ['create'] },
    { ...rule, resources: ['executortypes'], verbs: ['use'], resourceNames: [colony.executorType] },
  ]
}

/** Of `apps/v1/Deployment`. */
function kindIn(id: string): KindRef {
  const slash = id.lastIndexOf('/')
  return { apiVersion: id.slice(0, slash), kind: id.slice(slash + 1) }
}

function resourceOf(apiVersion: string, kind: string, definition?: ApiObject): { group: string; resource: string } {
  const group = parseGroupVersion(apiVersion)?.group ?? ''
  const { names } = (definition as { spec?: { names?: { plural?: string } } } | undefined)?.spec ?? {}
  // The one kind of Kubernetes whose name is a plural already.
  const resource = names?.plural ?? (kind === 'Endpoints' ? 'endpoints' : pluralOf(kind))
  return { group, resource }
}

/** Of a kind without a definition it is known only if it is one of Kubernetes. */
function isClusterScoped({ apiVersion, kind, definition }: KindRef & Pick<Controlled, 'definition'>): boolean {
  const { scope } = (definition as { spec?: { scope?: string } } | undefined)?.spec ?? {}
  return scope === undefined ? isClusterKind(apiVersion, kind) : scope === 'Cluster'
}
