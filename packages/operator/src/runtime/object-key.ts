// String keys of kinds and objects, for the runtime's maps. They leave out the version: an object is the same in all
// versions of its kind.

import type { ApiObject, ObjectName } from '@homeostat/client'
import type { ObjectRef } from './reconcile-context.ts'

export interface KindRef {
  readonly apiVersion: string
  readonly kind: string
}

/** `apps/Deployment`, `/Pod`. */
export function kindKey({ apiVersion, kind }: KindRef): string {
  const slash = apiVersion.indexOf('/')
  return `${slash < 0 ? '' : apiVersion.slice(0, slash)}/${kind}`
}

/** Neither a kind nor a name can contain a bar. */
export function objectKey(kind: string, { namespace = '', name }: ObjectName): string {
  return `${kind}|${namespace}|${name}`
}

export interface KeyParts {
  readonly kind: string
  readonly name: string
  readonly namespace: string | undefined
}

export function keyParts(key: string): KeyParts {
  const [kind = '', namespace = '', name = ''] = key.split('|')
  return { kind, name, namespace: namespace === '' ? undefined : namespace }
}

export function nameOf({ metadata: { name = '', namespace } }: ApiObject): ObjectName {
  return namespace === undefined ? { name } : { name, namespace }
}

export function refOf(object: ApiObject): ObjectRef {
  return { apiVersion: object.apiVersion, kind: object.kind, ...nameOf(object) }
}

/** `Secret shop/orders` */
export function shownRef({ kind, name, namespace }: ObjectName & { readonly kind: string }): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}
