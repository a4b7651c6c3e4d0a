// Answers what expressions of policies ask through `authorizer`: by the roles of this server alone, so that it costs no waiting.

import type { AuthorizationQuestion, Authorize } from '@homeostat/cel/without-compiler'
import { AUTHENTICATED, type User } from '../identity/user.ts'
import type { Attributes } from './authorize.ts'
import type { RbacAuthorizer } from './rbac/rbac-authorizer.ts'

export function authorizeAs(authorizer: Pick<RbacAuthorizer, 'authorize'>, user: User): Authorize {
  return (question) => authorizer.authorize(userOf(question, user), attributesOf(question))
}

function userOf({ serviceAccount }: AuthorizationQuestion, user: User): User {
  if (serviceAccount === undefined) return user
  const { namespace, name } = serviceAccount
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED]
  return { username: `system:serviceaccount:${namespace}:${name}`, groups }
}

function attributesOf(question: AuthorizationQuestion): Attributes {
  const { verb, path, group, resource, subresource, namespace, name } = question
  return path === undefined ? { verb, group, resource, subresource, namespace, name } : { verb, path }
}
