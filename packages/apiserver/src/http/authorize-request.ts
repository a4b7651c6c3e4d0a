// Lets a request go on, or refuses it. The router asks before it looks for anything, so that nobody can tell by a 404
// what there is; and it asks only for users who are not the administrator.

import { authorize } from '../authz/authorize.ts'
import { refusal } from '../authz/refusal.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { requestAttributes } from './request-attributes.ts'
import type { RequestPath } from './request-path.ts'
import { verbOf } from './resource-handler.ts'

export function refuseRequest(exchange: Exchange, target: RequestPath): void {
  const verb = target.kind === 'resource' ? verbOf(exchange, target.path) : ''
  const attributes = requestAttributes(exchange, target, verb)
  const { allowed, reason } = authorize(exchange.user, attributes)
  if (!allowed) throw refusal(exchange.user, attributes, reason)
}
