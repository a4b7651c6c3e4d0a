// What a write asks for besides the object itself. Made from a URL by the HTTP side, or by a controller.

import type { User } from '../identity/user.ts'
import type { ResourceType } from './resource-type.ts'

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

export interface WriteRequest {
  readonly type: ResourceType
  readonly namespace: string | undefined
  /** From the URL; a create may leave it to the object. */
  readonly name: string | undefined
  readonly subresource: string | undefined
  /** Do everything but store. */
  readonly dryRun: boolean
  readonly fieldValidation: FieldValidation
  readonly user: User
  readonly manager: string
  /** Brings a large body. */
  readonly large?: boolean
  /** What is written was read from a body: nobody else holds it. */
  readonly ownsBody?: boolean
  /** Adds a Warning header to the answer. */
  warn(text: string): void
}

/** Where an object of the type lives in the store. */
export function storeKey(type: ResourceType, namespace: string | undefined, name: string): string {
  return `${type.storage}/${cacheName(type, namespace, name)}`
}

/** The same without `group/resource/`. */
export function cacheName(type: ResourceType, namespace: string | undefined, name: string): string {
  return type.namespaced ? `${namespace}/${name}` : name
}
