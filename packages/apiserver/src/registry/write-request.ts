// The parameters of a write besides the object. HTTP makes them from the URL; controllers make their own.

import type { Held } from '../identity/held.ts'
import type { User } from '../identity/user.ts'
import type { ResourceNames, ResourceType, StoredAs } from './resource-type.ts'

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

export interface WriteRequest {
  readonly type: ResourceType
  readonly namespace: string | undefined
  /** The name in the URL; undefined for a create, whose object has it. */
  readonly name: string | undefined
  readonly subresource: string | undefined
  /** Of a POST to an action: the type of its body. Missing in the writes by which the server carries it out. */
  readonly actionBody?: ResourceType
  /** Run every step but the commit. */
  readonly dryRun: boolean
  readonly fieldValidation: FieldValidation
  readonly user: User
  readonly manager: string
  /** The leader's Lease, which has to be held still. */
  readonly held?: Held | undefined
  /** The body is large. */
  readonly large?: boolean
  /** The object was read from this request's body, so no other code holds it. */
  readonly ownsBody?: boolean
  /** Adds a Warning header to the response. */
  warn(text: string): void
}

/** The key of an object in the store. */
export function storeKey(type: ResourceNames & StoredAs, namespace: string | undefined, name: string): string {
  return `${type.storage}/${cacheName(type, namespace, name)}`
}

/** The key in the cache: the store's without `group/resource/`. */
export function cacheName(type: ResourceNames, namespace: string | undefined, name: string): string {
  return type.namespaced ? `${namespace}/${name}` : name
}
