// The objects of a fresh server, from facts/bootstrap.json and own-roles.ts: roles, bindings, priority classes and flow control.

import { readFileSync } from 'node:fs'
import type { KubeObject } from '@homeostat/meta'
import { RBAC_GROUP } from '../authz/rbac/policy-rule.ts'
import type { ResourceName } from '../registry/api.ts'
import { aggregatedRules } from './aggregation-plan.ts'
import { streamBindings, streamRoles } from './own-roles.ts'
import type { BindingFact, ClusterRoleFact, Named } from './role-facts.ts'

interface Place {
  readonly name: string
  readonly namespace?: string
}

/** Only its place is known before it is asked for: most starts need no more. */
export interface BootstrapObject {
  readonly resource: ResourceName
  readonly place: Place
  object(): KubeObject
}

interface BootstrapFacts {
  readonly clusterRoles: Named<ClusterRoleFact>
  readonly clusterRoleBindings: Named<BindingFact>
  readonly roles: Named<readonly string[]>
  readonly roleBindings: Named<BindingFact>
  readonly priorityClasses: Named<number>
  readonly flowSchemas: Named<object>
  readonly priorityLevels: Named<object>
}

const FLOW_GROUP = 'flowcontrol.apiserver.k8s.io'
const AGGREGATE = 'rbac.authorization.k8s.io/aggregate-to-'
/** The annotation by which a role allows starts to add missing rules. */
export const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate'

/** `more` are roles of the kinds that this server brings. */
export function bootstrapObjects(more: Named<ClusterRoleFact> = {}): BootstrapObject[] {
  const facts = JSON.parse(readFileSync(FILE, 'utf8')) as BootstrapFacts
  const bindings = { ...facts.clusterRoleBindings, ...streamBindings }
  return [
    ...clusterRoles({ ...facts.clusterRoles, ...streamRoles, ...more }),
    ...all(bindings, RBAC_GROUP, 'clusterrolebindings', 'ClusterRoleBinding', bindingFields),
    ...all(facts.roles, RBAC_GROUP, 'roles', 'Role', (rules) => ({ rules: rules.map(ruleOf) })),
    ...all(facts.roleBindings, RBAC_GROUP, 'rolebindings', 'RoleBinding', bindingFields),
    ...all(facts.priorityClasses, 'scheduling.k8s.io', 'priorityclasses', 'PriorityClass', (value) => ({
      value,
      preemptionPolicy: 'PreemptLowerPriority',
    })),
    ...all(facts.flowSchemas, FLOW_GROUP, 'flowschemas', 'FlowSchema', (spec) => ({ spec })),
    ...all(facts.priorityLevels, FLOW_GROUP, 'prioritylevelconfigurations', 'PriorityLevelConfiguration', (spec) => ({
      spec,
    })),
  ]
}

const FILE = new URL('../../facts/bootstrap.json', import.meta.url)

function all<T>(
  facts: Named<T>,
  group: string,
  resource: string,
  kind: string,
  fields: (fact: T) => object,
): BootstrapObject[] {
  return Object.entries(facts).map(([key, fact]) => {
    const place = placeOf(key)
    const object = () => ({ apiVersion: `${group}/v1`, kind, metadata: metadataOf(group, place), ...fields(fact) })
    return { resource: { group, resource }, place, object }
  })
}

function placeOf(key: string): Place {
  const slash = key.indexOf('/')
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}

function metadataOf(group: string, place: Place): KubeObject['metadata'] {
  if (group === FLOW_GROUP) return { ...place, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } }
  if (group !== RBAC_GROUP) return { ...place }
  const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' }
  return { ...place, labels, annotations: { [AUTO_UPDATE]: 'true' } }
}

function clusterRoles(facts: Named<ClusterRoleFact>): BootstrapObject[] {
  const plain = all(facts, RBAC_GROUP, 'clusterroles', 'ClusterRole', ({ rules = [] }) => ({
    rules: rules.map(ruleOf),
  }))
  let made: Map<string, KubeObject> | undefined
  return plain.map(({ resource, place, object }) => ({
    resource,
    place,
    object() {
      made ??= new Map(aggregatedRoles(plain, facts).map((role) => [role.metadata.name ?? '', role]))
      return made.get(place.name) ?? object()
    },
  }))
}

/** Fills in the rules of aggregated roles, so that the aggregation controller has nothing to write on a first start. */
function aggregatedRoles(plain: readonly BootstrapObject[], facts: Named<ClusterRoleFact>): KubeObject[] {
  const roles = plain.map(({ object }) => object())
  for (const role of roles) {
    const { name = '', labels } = role.metadata
    const { to, made } = facts[name] ?? {}
    if (to !== undefined) role.metadata.labels = { ...labels, [`${AGGREGATE}${to}`]: 'true' }
    if (made) role.aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [`${AGGREGATE}${name}`]: 'true' } }] }
  }
  // An aggregated role may select another one; no chain is longer than the number of roles.
  for (let changed = true; changed; ) {
    changed = false
    for (const role of roles) {
      const rules = aggregatedRules(role, roles)
      if (rules === undefined) continue
      role.rules = rules
      changed = true
    }
  }
  return roles
}

/** Parses `verbs groups resources [names]` or `verbs urls paths`; `core` is the group without a name. */
function ruleOf(line: string): object {
  const [verbs = [], groups = [], resources = [], names] = line.split(' ').map((word) => word.split(','))
  if (groups[0] === 'urls') return { verbs, nonResourceURLs: resources }
  const apiGroups = groups.map((group) => (group === 'core' ? '' : group))
  return { verbs, apiGroups, resources, ...(names && { resourceNames: names }) }
}

function bindingFields({ role, subjects }: BindingFact): object {
  const [kind, name] = role.split(' ')
  return { subjects: subjects.map(subjectOf), roleRef: { apiGroup: RBAC_GROUP, kind, name } }
}

/** Parses `Kind name` or `Kind namespace/name`. */
function subjectOf(line: string): object {
  const [kind = '', place = ''] = line.split(' ')
  if (kind !== 'ServiceAccount') return { kind, apiGroup: RBAC_GROUP, name: place }
  const [namespace, name] = place.split('/')
  return { kind, name, namespace }
}
