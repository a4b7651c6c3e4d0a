// Asks the authorizer about one action and refuses with a 403 that has the message of Kubernetes. The command that would
// allow it is a cause in the details, so that clients which compare messages see what they know.

import { forbidden, isStatusError, type StatusError } from '@homeostat/meta'
import type { User } from '../identity/user.ts'
import type { Attributes, Authorizer, Decision } from './authorize.ts'
import { grantLine, MISSING_RULE } from './grant-line.ts'

/** Throws 403 when the user may not. If the authorizer returns a promise, the returned promise rejects instead. */
export function requirePermission(
  authorizer: Authorizer,
  user: User,
  attributes: Attributes,
): Promise<void> | undefined {
  const refuse = ({ allowed, reason }: Decision) => {
    if (allowed) return
    authorizer.refused?.(user, attributes)
    throw refusal(user, attributes, reason)
  }
  const decision = authorizer.authorize(user, attributes)
  if (decision instanceof Promise) return decision.then(refuse)
  refuse(decision)
  return undefined
}

export function refusal(user: User, attributes: Attributes, reason = ''): StatusError {
  const who = `User ${JSON.stringify(user.username)} cannot ${attributes.verb}`
  const why = reason === '' ? '' : `: ${reason}`
  const line = grantLine(user, attributes)
  const causes = line === undefined ? [] : [{ reason: MISSING_RULE, message: line, field: '' }]
  if ('path' in attributes)
    return forbidden({ resource: '' }, `${who} path ${JSON.stringify(attributes.path)}${why}`, causes)
  const { group, resource, subresource, namespace, name } = attributes
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`
  const text = `${who} resource ${JSON.stringify(whole)} in API group ${JSON.stringify(group)} ${where}${why}`
  return forbidden({ group, resource, name }, text, causes)
}

/** What a person is told beside the refusal; undefined for any other error. */
export function grantHint(error: unknown): string | undefined {
  if (!isStatusError(error, 'Forbidden')) return undefined
  const line = error.status.details?.causes?.find(({ reason }) => reason === MISSING_RULE)?.message
  return line === undefined ? undefined : `an administrator allows this with: ${line}`
}
