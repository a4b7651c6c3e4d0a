// Nobody may grant rights that they do not have: a role with more than its author holds needs the verb `escalate`, a
// binding to such a role the verb `bind`. An added step of the write pipeline, for the four kinds of RBAC.

import { deepEqual, forbidden, type KubeObject, notFound, type StatusError } from '@homeostat/meta'
import { fieldsOf, listOf } from '../../builtin/fields-of.ts'
import { MASTERS, type User } from '../../identity/user.ts'
import type { AdmissionStep, AdmittedWrite } from '../../registry/admission-step.ts'
import { readRoleName } from './binding.ts'
import { describeRules, missingRules } from './covers.ts'
import { type PolicyRule, RBAC_GROUP, rulesOfRole } from './policy-rule.ts'
import { quote, quotedList } from './quote.ts'
import type { RbacAuthorizer } from './rbac-authorizer.ts'
import type { RoleIndex } from './role-index.ts'

const ROLES: ReadonlySet<string> = new Set(['roles', 'clusterroles'])
const BINDINGS: ReadonlySet<string> = new Set(['rolebindings', 'clusterrolebindings'])

/** What the author of an aggregation rule must hold, since such a role may gather any rights. */
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
]

export function escalationStep(roles: RoleIndex, authorizer: RbacAuthorizer): AdmissionStep {
  return {
    name: 'rbac escalation',
    // Before the kind's own validation, as in Kubernetes: a role that grants too much is 403, also if it is not valid.
    at: 'mutate',
    applies: ({ type, user }) =>
      type.group === RBAC_GROUP &&
      !user.groups.includes(MASTERS) &&
      (ROLES.has(type.resource) || BINDINGS.has(type.resource)),
    run: (write) => (ROLES.has(write.request.type.resource) ? checkRole(write) : checkBinding(write)),
  }

  function checkRole(write: AdmittedWrite): void {
    const { object, old, request } = write
    if (isOnlyCollected(object, old)) return
    // The name in the URL: a create has none, so `escalate` on one name does not allow to create that role.
    if (may(write, 'escalate', request.type.resource, request.name ?? '')) return
    const missing = missingOf(write, rulesOfRole(object))
    if (missing.length > 0) throw refusal(write, escalationText(request.user, missing))
    if ((aggregates(object) || aggregates(old)) && missingOf(write, EVERYTHING).length > 0)
      throw refusal(write, 'must have cluster-admin privileges to use the aggregationRule')
  }

  function checkBinding(write: AdmittedWrite): void {
    const { object, old, request } = write
    if (isOnlyCollected(object, old)) return
    const role = readRoleName(fieldsOf(object.roleRef), request.namespace ?? '')
    if (role === undefined) return
    const resource = role.kind === 'Role' ? 'roles' : 'clusterroles'
    if (may(write, 'bind', resource, role.name)) return
    const rules = roles.rulesOfRole(role)
    if (rules === undefined) throw notFound({ group: RBAC_GROUP, resource: role.kind.toLowerCase() }, role.name)
    const missing = missingOf(write, rules)
    if (missing.length > 0) throw refusal(write, escalationText(request.user, missing))
  }

  function may({ request }: AdmittedWrite, verb: string, resource: string, name: string): boolean {
    const { user, namespace = '' } = request
    const asked = { verb, group: RBAC_GROUP, resource, subresource: '', namespace, name }
    return authorizer.authorize(user, asked).allowed
  }

  function missingOf({ request }: AdmittedWrite, wanted: readonly PolicyRule[]): PolicyRule[] {
    const { user, namespace = '' } = request
    return missingRules(authorizer.heldRules(user, namespace), wanted)
  }
}

function refusal({ request, object }: AdmittedWrite, text: string): StatusError {
  const { group, resource } = request.type
  return forbidden({ group, resource, name: object.metadata.name ?? '' }, text)
}

function escalationText({ username, groups }: User, missing: readonly PolicyRule[]): string {
  const who = `user ${quote(username)} (groups=${quotedList(groups)})`
  return `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}`
}

function aggregates(role: KubeObject | undefined): boolean {
  return listOf(fieldsOf(role?.aggregationRule).clusterRoleSelectors).length > 0
}

/** An update that only helps the object to be collected: it grants nothing new. */
function isOnlyCollected(object: KubeObject, old: KubeObject | undefined): boolean {
  return old !== undefined && deepEqual(rest(object), rest(old))
}

function rest({ metadata, ...others }: KubeObject): unknown {
  const { ownerReferences: _, finalizers: __, managedFields: ___, resourceVersion: ____, ...kept } = metadata
  return [others, kept]
}
