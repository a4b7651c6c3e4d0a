// The types of objects in handles: parts of a kind's type, and what may be applied.

import type { ApiObject, LooseObject, ObjectOf } from '@homeostat/client'
import type { ObjectMeta } from '@homeostat/meta'
import type { SentFields } from '../runtime/secret-text.ts'

/** The object type of the kind. */
export type KindOf<A extends string, K extends string> = Objects<ObjectOf<A, K>>
type Objects<T> = T extends ApiObject ? T : never

/** A field of the kind's type; undefined for kinds without it. */
export type Part<T, F extends string> = F extends keyof T ? T[F] : undefined

/** The metadata that an author may set. The handle knows name and namespace. */
export interface SentMetadata extends Partial<Omit<ObjectMeta, 'name' | 'namespace'>> {
  name?: string
  namespace?: string | undefined
}

/** A manifest for a handle: apiVersion, kind, name and namespace are filled in when left out. */
export type Body<T> = LooseObject extends T
  ? { apiVersion?: string; kind?: string; metadata?: SentMetadata; [field: string]: unknown }
  : SentFields<T> & {
      apiVersion?: string
      kind?: string
      metadata?: SentMetadata
    }
