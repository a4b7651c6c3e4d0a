// The types by which handles know objects: parts of a kind's type, and what may be sent for it.

import type { ApiObject, LooseObject, ObjectOf } from '@homeostat/client'
import type { ObjectMeta } from '@homeostat/meta'
import type { SentFields } from '../runtime/secret-text.ts'

/** The type of a kind, as far as it is an object. */
export type KindOf<A extends string, K extends string> = Objects<ObjectOf<A, K>>
type Objects<T> = T extends ApiObject ? T : never

/** A field of the kind's type; undefined for kinds that have none of that name. */
export type Part<T, F extends string> = F extends keyof T ? T[F] : undefined

/** What the author says of an object's metadata. The handle knows name and namespace. */
export interface SentMetadata extends Partial<Omit<ObjectMeta, 'name' | 'namespace'>> {
  name?: string
  namespace?: string | undefined
}

/** What can be applied through a handle: apiVersion, kind, name and namespace are filled in when they are left out. */
export type Body<T> = LooseObject extends T
  ? { apiVersion?: string; kind?: string; metadata?: SentMetadata; [field: string]: unknown }
  : SentFields<T> & {
      apiVersion?: string
      kind?: string
      metadata?: SentMetadata
    }
