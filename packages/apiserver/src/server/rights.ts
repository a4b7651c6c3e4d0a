// What users may do: roles of the store, and what programs inside the server declare. Built before the registry, whose
// writes ask it.

import type { Log } from '@homeostat/base'
import { createRightStep } from '../authz/create-right-step.ts'
import { DeclaredRights, type DefinitionHolds } from '../authz/declared-rights.ts'
import { cachedRoles } from '../authz/rbac/cached-roles.ts'
import { escalationStep } from '../authz/rbac/escalation-step.ts'
import { RbacAuthorizer } from '../authz/rbac/rbac-authorizer.ts'
import { RoleIndex } from '../authz/rbac/role-index.ts'
import { writePermissionsStep } from '../authz/write-permissions-step.ts'
import type { WatchCache } from '../cache/watch-cache.ts'
import type { AdmissionStep } from '../registry/admission-step.ts'
import type { TypeRules } from '../registry/type-rules.ts'

export interface Rights {
  readonly authorizer: RbacAuthorizer
  readonly declared: DeclaredRights
  /** The steps of a write that ask for rights, in order. */
  readonly steps: readonly AdmissionStep[]
}

export function makeRights(cache: WatchCache, rules: readonly TypeRules[], log: Log): Rights {
  const roles = new RoleIndex(cachedRoles(cache))
  const declared = new DeclaredRights(definitionHolds(cache), (refusal) => {
    log.warn(refusal, 'an add-on was refused what it does not declare; add it to its access, or run the line')
  })
  const authorizer = new RbacAuthorizer(roles, declared)
  const permissions = writePermissionsStep(rules, authorizer)
  const steps = [
    createRightStep(authorizer),
    escalationStep(roles, authorizer),
    ...(permissions === undefined ? [] : [permissions]),
  ]
  return { authorizer, declared, steps }
}

function definitionHolds(cache: WatchCache): DefinitionHolds {
  const definitions = cache.resource('apiextensions.k8s.io/customresourcedefinitions')
  return (group, resource, text) => definitions.tree.get(`${resource}.${group}`)?.bytes.includes(text) ?? false
}
