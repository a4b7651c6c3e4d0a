// Authorizes a request. The router calls it before it looks up any object, so that a 404 reveals nothing, and only for
// users other than the administrator.

import type { Authorizer } from '../authz/authorize.ts'
import { requirePermission } from '../authz/require-permission.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { requestAttributes } from './request-attributes.ts'
import type { RequestPath } from './request-path.ts'
import { verbOf } from './resource-handler.ts'

/** Throws 403, or rejects with it when the authorizer is asynchronous. */
export function authorizeRequest(
  exchange: Exchange,
  target: RequestPath,
  authorizer: Authorizer,
): Promise<void> | undefined {
  const verb = target.kind === 'resource' ? verbOf(exchange, target.path) : ''
  return requirePermission(authorizer, exchange.user, requestAttributes(exchange, target, verb))
}
