// The 403 of a request that its user may not make, in the words of Kubernetes.

import { forbidden, type StatusError } from '@homeostat/meta'
import type { User } from '../identity/user.ts'
import type { Attributes } from './authorize.ts'

export function refusal(user: User, attributes: Attributes, reason = ''): StatusError {
  const who = `User ${JSON.stringify(user.username)} cannot ${attributes.verb}`
  const why = reason === '' ? '' : `: ${reason}`
  if ('path' in attributes) return forbidden({ resource: '' }, `${who} path ${JSON.stringify(attributes.path)}${why}`)
  const { group, resource, subresource, namespace, name } = attributes
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`
  const text = `${who} resource ${JSON.stringify(whole)} in API group ${JSON.stringify(group)} ${where}${why}`
  return forbidden({ group, resource, name }, text)
}
