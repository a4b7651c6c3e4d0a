// Decides by the Roles and bindings of the server, as Kubernetes does: rights only add up, nothing is denied explicitly.
// Programs inside the server have what they declare besides.

import { MASTERS, type User } from '../../identity/user.ts'
import type { Attributes, Authorizer, Decision, Rules } from '../authorize.ts'
import type { DeclaredRights } from '../declared-rights.ts'
import { type RoleName, subjectKeys } from './binding.ts'
import { type PolicyRule, RBAC_GROUP } from './policy-rule.ts'
import { quote } from './quote.ts'
import type { RoleIndex } from './role-index.ts'

const ALLOWED: Decision = { allowed: true, reason: '' }

export class RbacAuthorizer implements Authorizer {
  readonly #roles: RoleIndex
  readonly #declared: DeclaredRights | undefined
  /** A token's user is the same object in each request (bench row "GET with TLS, a token and RBAC"). */
  readonly #subjects = new WeakMap<User, readonly string[]>()

  constructor(roles: RoleIndex, declared?: DeclaredRights) {
    this.#roles = roles
    this.#declared = declared
  }

  authorize(user: User, attributes: Attributes): Decision {
    if (user.groups.includes(MASTERS)) return ALLOWED
    const declared = this.#declared?.find(user, attributes)
    if (declared !== undefined) return { allowed: true, reason: declared }
    const subjects = this.#subjectsOf(user)
    const scope = 'path' in attributes ? '' : attributes.namespace
    const reason = this.#roles.find(subjects, scope, (table) => table.find(attributes))
    if (reason !== undefined) return { allowed: true, reason }
    return { allowed: false, reason: missingText(this.#roles.missingRoles(subjects, scope)) }
  }

  #subjectsOf(user: User): readonly string[] {
    let subjects = this.#subjects.get(user)
    if (subjects === undefined) {
      subjects = subjectKeys(user)
      this.#subjects.set(user, subjects)
    }
    return subjects
  }

  refused(user: User, attributes: Attributes): void {
    this.#declared?.refused(user, attributes)
  }

  /** All rules that hold for the user there. */
  heldRules(user: User, namespace: string): PolicyRule[] {
    return [...(this.#declared?.rulesOf(user) ?? []), ...this.#roles.rulesOf(subjectKeys(user), namespace)]
  }

  rulesOf(user: User, namespace: string): Rules {
    const subjects = subjectKeys(user)
    const rules = this.heldRules(user, namespace)
    const error = missingText(this.#roles.missingRoles(subjects, namespace))
    return {
      resourceRules: rules.flatMap(({ verbs, apiGroups, resources, resourceNames }) =>
        resources.length === 0
          ? []
          : [{ verbs, apiGroups, resources, ...(resourceNames.length > 0 && { resourceNames }) }],
      ),
      nonResourceRules: rules.flatMap(({ verbs, nonResourceURLs }) =>
        nonResourceURLs.length === 0 ? [] : [{ verbs, nonResourceURLs }],
      ),
      ...(error !== '' && { evaluationError: error }),
    }
  }
}

/** Says which roles the user's bindings name in vain. */
function missingText(roles: readonly RoleName[]): string {
  const texts = new Set(roles.map(({ kind, name }) => `${kind.toLowerCase()}.${RBAC_GROUP} ${quote(name)} not found`))
  if (texts.size === 0) return ''
  const all = [...texts].join(', ')
  return texts.size === 1 ? `RBAC: ${all}` : `RBAC: [${all}]`
}
