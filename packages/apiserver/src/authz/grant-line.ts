// The command that gives a refused user the one right that was missing, for an administrator to paste. It is made of what
// the user sent, so every part is quoted for a shell, and what cannot be shown safely makes no line. Pure.

import { UNAUTHENTICATED, type User } from '../identity/user.ts'
import type { Attributes, ResourceAttributes } from './authorize.ts'

/** The reason of the cause that holds the line, in the details of a 403. */
export const MISSING_RULE = 'MissingRule'

/** Longer ones help nobody. */
const MAX_LENGTH = 1000

/** Undefined for anonymous users, who must learn nothing, and where no rule of RBAC would help. */
export function grantLine(user: User, attributes: Attributes): string | undefined {
  if (user.groups.includes(UNAUTHENTICATED) || user.username === '' || attributes.verb === '') return undefined
  const line = 'path' in attributes ? pathLine(user, attributes) : resourceLine(user, attributes)
  return line.length <= MAX_LENGTH && /^[\x20-\x7e]*$/.test(line) ? line : undefined
}

function pathLine(user: User, { verb, path }: { verb: string; path: string }): string {
  const role = roleName(user, verb, path)
  return everywhere(role, user, `--verb=${quoted(verb)} --non-resource-url=${quoted(path)}`)
}

function resourceLine(user: User, attributes: ResourceAttributes): string {
  const { verb, group, resource, subresource, namespace, name } = attributes
  const whole = `${group === '' ? resource : `${resource}.${group}`}${subresource === '' ? '' : `/${subresource}`}`
  // RBAC cannot limit these to names: the name of a new object is not in the URL.
  const named = verb === 'deletecollection' || (verb === 'create' && subresource === '') ? '' : name
  const role = roleName(user, verb, resource, subresource, named)
  const only = named === '' ? '' : ` --resource-name=${quoted(named)}`
  const rule = `--verb=${quoted(verb)} --resource=${quoted(whole)}${only}`
  if (namespace === '') return everywhere(role, user, rule)
  const place = `--namespace=${quoted(namespace)}`
  return (
    `kubectl create role ${role} ${rule} ${place} && ` +
    `kubectl create rolebinding ${role} --role=${role} ${subject(user)} ${place}`
  )
}

function everywhere(role: string, user: User, rule: string): string {
  return (
    `kubectl create clusterrole ${role} ${rule} && ` +
    `kubectl create clusterrolebinding ${role} --clusterrole=${role} ${subject(user)}`
  )
}

function subject({ username }: User): string {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? []
  return name === undefined ? `--user=${quoted(username)}` : `--serviceaccount=${quoted(`${namespace}:${name}`)}`
}

/** The same for the same right, so that pasting a line twice says that the role exists. */
function roleName({ username }: User, ...parts: readonly string[]): string {
  const words = [username.replace(/^system:serviceaccount:/, ''), ...parts]
  return words
    .map((word) => word.toLowerCase().replace(/[^a-z0-9]+/g, '-'))
    .map((word) => word.replace(/^-+|-+$/g, ''))
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 200)
}

function quoted(text: string): string {
  return /^[\w.:/@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
