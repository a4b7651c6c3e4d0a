// A RoleBinding or ClusterRoleBinding: which role it grants, where, and to whom.

import type { KubeObject } from '@homeostat/meta'
import { fieldsOf, listOf, textOf } from '../../builtin/fields-of.ts'
import type { User } from '../../identity/user.ts'
import { quote } from './quote.ts'

export interface Binding {
  /** Where the rights hold: a namespace, or everywhere (empty). */
  readonly scope: string
  readonly role: RoleName
  readonly subjects: readonly Subject[]
}

export interface RoleName {
  readonly kind: 'Role' | 'ClusterRole'
  /** Empty for a ClusterRole. */
  readonly namespace: string
  readonly name: string
}

export interface Subject {
  /** As in `subjectKeys`. */
  readonly key: string
  /** The reason for a decision that this subject of the binding allows. */
  readonly reason: string
}

/** Undefined for a binding that cannot grant anything. */
export function readBinding({ metadata, roleRef, subjects }: KubeObject, namespace: string): Binding | undefined {
  const role = readRoleName(fieldsOf(roleRef), namespace)
  if (role === undefined) return undefined
  const name = textOf(metadata.name)
  const binding =
    namespace === ''
      ? `ClusterRoleBinding ${quote(name)}`
      : // Kubernetes writes the name first.
        `RoleBinding ${quote(`${name}/${namespace}`)}`
  const grants = `RBAC: allowed by ${binding} of ${role.kind} ${quote(role.name)} to`
  return {
    scope: namespace,
    role,
    subjects: listOf(subjects).flatMap((item) => readSubject(fieldsOf(item), namespace, grants)),
  }
}

export function readRoleName(reference: Readonly<Record<string, unknown>>, namespace: string): RoleName | undefined {
  const name = textOf(reference.name)
  if (reference.kind === 'ClusterRole') return { kind: 'ClusterRole', namespace: '', name }
  if (reference.kind === 'Role' && namespace !== '') return { kind: 'Role', namespace, name }
  return undefined
}

function readSubject(subject: Readonly<Record<string, unknown>>, namespace: string, grants: string): Subject[] {
  const name = textOf(subject.name)
  switch (subject.kind) {
    case 'User':
      return [{ key: userKey(name), reason: `${grants} User ${quote(name)}` }]
    case 'Group':
      return [{ key: groupKey(name), reason: `${grants} Group ${quote(name)}` }]
    case 'ServiceAccount': {
      const home = textOf(subject.namespace) || namespace
      // Without a namespace it would be the account of nobody.
      if (home === '') return []
      const reason = `${grants} ServiceAccount ${quote(`${name}/${home}`)}`
      return [{ key: userKey(`system:serviceaccount:${home}:${name}`), reason }]
    }
    default:
      return []
  }
}

/** Every subject that stands for the user. A service account is the user of its name. */
export function subjectKeys({ username, groups }: User): string[] {
  return [userKey(username), ...groups.map(groupKey)]
}

function userKey(name: string): string {
  return `user ${name}`
}

function groupKey(name: string): string {
  return `group ${name}`
}
