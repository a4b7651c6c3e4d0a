// The attributes of a request that authorization checks. Computed only for users other than the administrator.

import { parseFieldSelector } from '@homeostat/meta'
import type { Attributes } from '../authz/authorize.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { RequestPath } from './request-path.ts'

/** `verb` is the verb of the resource; other paths use the HTTP method. */
export function requestAttributes(exchange: Exchange, target: RequestPath, verb: string): Attributes {
  const { method, pathname } = exchange.request
  if (target.kind !== 'resource') return { verb: method.toLowerCase(), path: pathname }
  const { group, resource, subresource = '', namespace, name } = target.path
  return {
    verb: verb === 'other' ? '' : verb,
    group,
    resource,
    subresource,
    // A namespace object counts as inside itself.
    namespace: namespace ?? (group === '' && resource === 'namespaces' ? (name ?? '') : ''),
    name: name ?? (SELECTING.has(verb) ? selectedName(exchange) : ''),
  }
}

const SELECTING: ReadonlySet<string> = new Set(['list', 'watch'])

/** A list or watch that selects one name needs permission for that object only. */
function selectedName(exchange: Exchange): string {
  const selector = exchange.request.param('fieldSelector')
  if (selector === '') return ''
  try {
    const { requirements } = parseFieldSelector(selector)
    return requirements.find(({ field, op }) => field === 'metadata.name' && op === '=')?.value ?? ''
  } catch {
    return ''
  }
}
