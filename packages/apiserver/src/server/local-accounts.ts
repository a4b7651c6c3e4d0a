// Users for programs inside the server: each may do what it declares, and what roles allow to its name.

import { refusal } from '../authz/require-permission.ts'
import { AUTHENTICATED, type User } from '../identity/user.ts'
import type { LocalIdentity } from '../pipeline/local-api.ts'
import { type Permit, permittedApi } from '../pipeline/local-permit.ts'
import type { Api } from '../registry/api.ts'
import type { DeclaredRule } from '../registry/declared-rule.ts'
import type { LocalAccount } from './api-server.ts'
import type { Rights } from './rights.ts'

export function localAccount(
  { authorizer, declared }: Rights,
  identity: LocalIdentity,
  access: readonly DeclaredRule[],
  apiAs: (user: User) => Api,
): LocalAccount {
  const user = accountUser(identity.username)
  declared.declare(user, access)
  const permit: Permit = (verb, { group, resource }, subresource, namespace = '', name = '') => {
    const attributes = { verb, group, resource, subresource, namespace, name }
    const { allowed, reason } = authorizer.authorize(user, attributes)
    if (allowed) return
    authorizer.refused(user, attributes)
    throw refusal(user, attributes, reason)
  }
  return { user, api: permittedApi(apiAs(user), permit) }
}

/** Of a service account, whether or not an object of its name exists. */
function accountUser(username: string): User {
  const namespace = username.split(':')[2] ?? ''
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED]
  return { username, groups }
}
