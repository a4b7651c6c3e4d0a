// A rule of RBAC as Kubernetes writes it, with the namespaces in which an operator needs it. Authors declare what their
// functions read and write; `run` checks it, and `homeostat synth` writes it into roles.

import { writeJson } from '@homeostat/meta'

export interface PolicyRule {
  /** Without a version. The core group is `''`. */
  readonly apiGroups: readonly string[]
  /** Plurals, e.g. `deployments`, `pods/log`. */
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  /** Limits the rule to these names. RBAC cannot limit `create` to names. Default: all. */
  readonly resourceNames?: readonly string[]
}

export interface AccessRule extends PolicyRule {
  /** Where it is needed; `all` also for cluster-scoped kinds. Default: the namespaces of the operator, else all. */
  readonly namespaces?: readonly string[] | 'all'
}

/** A rule with its reason, for people who review the rights of an operator. */
export interface NeededRule extends AccessRule {
  readonly why: string
}

/** Throws for a kind of a child that names none. */
export function checkChildren(children: readonly string[]): void {
  for (const child of children) {
    if (/^([\w.-]+\/)?v\w+\/[A-Z]\w*$/.test(child)) continue
    throw new Error(`children: ${writeJson(child)} names no kind; write it as v1/ConfigMap or apps/v1/Deployment`)
  }
}

/** Throws for a rule that a role must not have, or that would never match. */
export function checkAccess(rules: readonly AccessRule[]): void {
  for (const rule of rules) {
    for (const field of ['apiGroups', 'resources', 'verbs'] as const) {
      if (!Array.isArray(rule[field]) || rule[field].length === 0) refuse(rule, `${field} must be a list of names`)
    }
    const { apiGroups, resources, verbs, resourceNames = [], namespaces } = rule
    const names = [...apiGroups, ...resources, ...verbs, ...resourceNames, ...(namespaces ?? [])]
    if (names.some((name) => name.includes('*'))) refuse(rule, 'wildcards are refused: name what the operator needs')
    const versioned = apiGroups.find((group) => group.includes('/'))
    if (versioned !== undefined) refuse(rule, `the group of ${versioned} is written without its version`)
    const kind = resources.find((resource) => resource !== resource.toLowerCase())
    if (kind !== undefined) refuse(rule, `"${kind}" is not a plural in lower case, such as deployments`)
    if (resourceNames.length > 0 && verbs.includes('create')) {
      refuse(rule, 'RBAC cannot limit create to names: give it a rule of its own, without resourceNames')
    }
  }
}

function refuse(rule: AccessRule, why: string): never {
  throw new Error(`access ${writeJson(rule)}: ${why}`)
}
