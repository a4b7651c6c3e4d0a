// Decides who may do what. The interface leaves room for an authorizer that asks another server. The one here decides
// locally: system:masters may do everything, everybody else what every cluster grants by default.

import { MASTERS, type User } from '../identity/user.ts'
import { DEFAULT_GRANTS, type Grant, type PathRule, type ResourceRule } from './default-grants.ts'

/** Strings are empty where they do not apply. */
export interface ResourceAttributes {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

/** A request outside the resource API. */
export interface PathAttributes {
  readonly verb: string
  readonly path: string
}

export type Attributes = ResourceAttributes | PathAttributes

export interface Decision {
  readonly allowed: boolean
  /** May be empty. */
  readonly reason: string
}

export interface Rules {
  readonly resourceRules: readonly ResourceRule[]
  readonly nonResourceRules: readonly PathRule[]
}

/** Decides what users may do. A local decision costs no promise; an authorizer that asks another server returns one. */
export interface Authorizer {
  authorize(user: User, attributes: Attributes): Decision | Promise<Decision>
  /** Everything the user may do, as SelfSubjectRulesReview lists it. */
  rulesOf(user: User): Rules | Promise<Rules>
}

const ALLOWED: Decision = { allowed: true, reason: '' }
const NO_OPINION: Decision = { allowed: false, reason: '' }

export function authorize(user: User, attributes: Attributes): Decision {
  if (user.groups.includes(MASTERS)) return ALLOWED
  for (const grant of DEFAULT_GRANTS) {
    const group = grant.groups.find((name) => user.groups.includes(name))
    if (group === undefined || !covers(grant, attributes)) continue
    return {
      allowed: true,
      reason: `RBAC: allowed by ClusterRoleBinding ${quote(grant.name)} of ClusterRole ${quote(grant.name)} to Group ${quote(group)}`,
    }
  }
  return NO_OPINION
}

/** The same rules hold in every namespace. */
export function rulesOf(user: User): Rules {
  const grants = DEFAULT_GRANTS.filter(({ groups }) => groups.some((name) => user.groups.includes(name)))
  return {
    resourceRules: grants.flatMap(({ resourceRules = [] }) => resourceRules),
    nonResourceRules: grants.flatMap(({ pathRules = [] }) => pathRules),
  }
}

export const defaultAuthorizer: Authorizer = { authorize, rulesOf }

function covers({ resourceRules = [], pathRules = [] }: Grant, attributes: Attributes): boolean {
  if ('path' in attributes) return pathRules.some((rule) => coversPath(rule, attributes))
  const { verb, group, resource, subresource } = attributes
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  return resourceRules.some(
    ({ verbs, apiGroups, resources }) => matches(verbs, verb) && matches(apiGroups, group) && matches(resources, whole),
  )
}

function coversPath({ verbs, nonResourceURLs }: PathRule, { verb, path }: PathAttributes): boolean {
  if (!matches(verbs, verb)) return false
  return nonResourceURLs.some((url) => (url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path))
}

function matches(granted: readonly string[], asked: string): boolean {
  return granted.includes(asked) || granted.includes('*')
}

function quote(text: string): string {
  return JSON.stringify(text)
}
