// The Impersonate-* headers (`kubectl --as`): a user with the permission acts as another user. The rest of the request
// has only the permissions of the impersonated user.

import { badRequest } from '@homeostat/meta'
import type { Authorizer, ResourceAttributes } from '../authz/authorize.ts'
import { requirePermission } from '../authz/require-permission.ts'
import { AUTHENTICATED, UNAUTHENTICATED, type User } from '../identity/user.ts'
import { serviceAccountGroups } from './service-account-tokens.ts'

/** `rawHeaders` alternates names and values. Runs for every request, and nearly none has such a header. */
export function wantsImpersonation(rawHeaders: readonly string[]): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length > 12 && (name.charCodeAt(0) | 0x20) === LETTER_I && name.toLowerCase().startsWith('impersonate-'))
      return true
  }
  return false
}

const LETTER_I = 0x69
const ANONYMOUS = 'system:anonymous'

type Headers = Readonly<Record<string, readonly string[] | undefined>>

/** One identity that the headers ask for, by Kubernetes' names; each needs a permission of its own. */
interface Wanted {
  readonly kind: 'ServiceAccount' | 'User' | 'Group' | 'UserExtra' | 'UID'
  readonly name: string
  readonly namespace?: string
  readonly extra?: string
}

/** The Impersonate-* headers by name in lower case, each with all its values. */
export function impersonationHeaders(rawHeaders: readonly string[]): Headers {
  const headers: Record<string, string[]> = Object.create(null)
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    if (!name.startsWith('impersonate-')) continue
    headers[name] ??= []
    headers[name].push(rawHeaders[at + 1] as string)
  }
  return headers
}

/**
 * Throws 403 when the user may not impersonate, and 400 for headers that name no user or two. Returns a promise only when the
 * authorizer does.
 */
export function impersonate(user: User, headers: Headers, authorizer: Authorizer): User | Promise<User> {
  requireOneUser(headers)
  const wanted = wishes(headers)
  if (wanted.length === 0) return user
  const [first] = wanted
  if (first?.kind !== 'User' && first?.kind !== 'ServiceAccount')
    throw badRequest(`requested [${wanted.map(described).join(' ')}] without impersonating a user`)
  let allowed: Promise<void> | undefined
  for (const wish of wanted) {
    const ask = () => requirePermission(authorizer, user, permission(wish))
    allowed = allowed === undefined ? ask() : allowed.then(ask)
  }
  return allowed === undefined ? become(first, wanted) : allowed.then(() => become(first, wanted))
}

/**
 * Stricter than Kubernetes, which takes the first value and ignores an empty one: a proxy that impersonates its callers would
 * then act with its own rights for a caller without a name, and as whom a caller says who sent the header as well.
 */
function requireOneUser(headers: Headers): void {
  for (const name of ['impersonate-user', 'impersonate-uid']) {
    const values = headers[name]
    if (values === undefined) continue
    if (values.length > 1) throw badRequest(`the header ${name} stands there ${values.length} times: send it once`)
    if (values[0] === '') throw badRequest(`the header ${name} is empty: name a user, or leave the header out`)
  }
}

function wishes(headers: Headers): Wanted[] {
  const wanted: Wanted[] = []
  const [user] = headers['impersonate-user'] ?? []
  if (user) wanted.push(splitAccount(user) ?? { kind: 'User', name: user })
  for (const name of headers['impersonate-group'] ?? []) wanted.push({ kind: 'Group', name })
  for (const [header, values = []] of Object.entries(headers)) {
    if (!header.startsWith(EXTRA)) continue
    const extra = unescaped(header.slice(EXTRA.length))
    for (const name of values) wanted.push({ kind: 'UserExtra', name, extra })
  }
  const [uid] = headers['impersonate-uid'] ?? []
  if (uid) wanted.push({ kind: 'UID', name: uid })
  return wanted
}

const EXTRA = 'impersonate-extra-'

function splitAccount(username: string): Wanted | undefined {
  const parts = /^system:serviceaccount:([a-z0-9](?:[-a-z0-9]*[a-z0-9])?):([a-z0-9](?:[-.a-z0-9]*[a-z0-9])?)$/.exec(
    username,
  )
  const [, namespace, name] = parts ?? []
  return namespace === undefined || name === undefined ? undefined : { kind: 'ServiceAccount', namespace, name }
}

/** Decodes the percent-encoding of an extra key; a key with a broken escape stays as it is, as in Kubernetes. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** An object reference as Go prints it: kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath. */
function described({ kind, namespace = '', name, extra = '' }: Wanted): string {
  const apiVersion = groupOf(kind) === '' ? '' : 'authentication.k8s.io/v1'
  return `{${[kind, namespace, name, '', apiVersion, '', extra].join(' ')}}`
}

function permission({ kind, namespace = '', name, extra = '' }: Wanted): ResourceAttributes {
  const resource = `${kind.toLowerCase()}s`
  return { verb: 'impersonate', group: groupOf(kind), resource, subresource: extra, namespace, name }
}

function groupOf(kind: Wanted['kind']): string {
  return kind === 'UserExtra' || kind === 'UID' ? 'authentication.k8s.io' : ''
}

function become({ kind, namespace, name }: Wanted, wanted: readonly Wanted[]): User {
  const namesOf = (wish: Wanted['kind']) => wanted.filter((each) => each.kind === wish).map((each) => each.name)
  const account = kind === 'ServiceAccount'
  const username = account ? `system:serviceaccount:${namespace}:${name}` : name
  const given = namesOf('Group')
  const groups = given.length === 0 && account ? serviceAccountGroups(namespace ?? '') : given
  const extra: Record<string, string[]> = Object.create(null)
  for (const wish of wanted) {
    if (wish.kind !== 'UserExtra' || wish.extra === undefined) continue
    extra[wish.extra] = [...(extra[wish.extra] ?? []), wish.name]
  }
  const [uid] = namesOf('UID')
  return { username, groups: [...groups, ...everyone(username, groups)], extra, ...(uid !== undefined && { uid }) }
}

/** The group of all authenticated or all anonymous users, added unless the headers name it themselves. */
function everyone(username: string, groups: readonly string[]): string[] {
  if (groups.includes(UNAUTHENTICATED)) return []
  if (username === ANONYMOUS) return [UNAUTHENTICATED]
  return groups.includes(AUTHENTICATED) ? [] : [AUTHENTICATED]
}
