// Lets a request go on, or refuses it. The router asks before it looks for anything, so that nobody can tell by a 404
// what there is; and it asks only for users who are not the administrator.

import type { Authorizer } from '../authz/authorize.ts'
import { requirePermission } from '../authz/require-permission.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { requestAttributes } from './request-attributes.ts'
import type { RequestPath } from './request-path.ts'
import { verbOf } from './resource-handler.ts'

/** Throws 403; later, when the authorizer answers later. */
export function authorizeRequest(
  exchange: Exchange,
  target: RequestPath,
  authorizer: Authorizer,
): Promise<void> | undefined {
  const verb = target.kind === 'resource' ? verbOf(exchange, target.path) : ''
  return requirePermission(authorizer, exchange.user, requestAttributes(exchange, target, verb))
}
