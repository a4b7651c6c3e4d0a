// Which TypeScript type a kind has. Built-in kinds are generated; programs add their own by declaration merging:
//   declare module '@homeostat/client' { interface KnownKinds { 'ex.io/v1/Site': Site } }

import type { Condition, ObjectMeta } from '@homeostat/meta'
import type { BuiltInKinds } from './kinds/built-in.ts'

/** Types by `apiVersion/Kind`, e.g. `apps/v1/Deployment`. */
export interface KnownKinds extends BuiltInKinds {}

/** The type of a known kind; otherwise one that promises only what all objects have. */
export type ObjectOf<A extends string, K extends string> = `${A}/${K}` extends keyof KnownKinds
  ? KnownKinds[`${A}/${K}`]
  : LooseObject

/** An object of a kind nobody described. Its conditions are typed, since most statuses have them. */
export interface LooseObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  spec?: { [field: string]: unknown }
  status?: { conditions?: Condition[]; [field: string]: unknown }
  data?: { [field: string]: unknown }
}

/** The least the client asks of an object. */
export interface ApiObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

export interface ObjectList<T> {
  apiVersion: string
  kind: string
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number }
  items: T[]
}
