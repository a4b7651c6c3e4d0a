// Which TypeScript type a kind has. Built-in kinds are generated; programs add their own by declaration merging:
//   declare module '@homeostat/client' { interface KnownKinds { 'ex.io/v1/Site': Site } }

import type { Condition, ObjectMeta } from '@homeostat/meta'
import type { BuiltInKinds, ClusterScopedKinds } from '../kinds/built-in.ts'

/** Types by `apiVersion/Kind`, e.g. `apps/v1/Deployment`. */
export interface KnownKinds extends BuiltInKinds {}

/** The type of a known kind; for others, a type with only what all objects have. */
export type ObjectOf<A extends string, K extends string> = `${A}/${K}` extends keyof KnownKinds
  ? KnownKinds[`${A}/${K}`]
  : LooseObject

/** The known kinds of a group version. */
type KindsIn<A extends string, Keys = keyof KnownKinds> = Keys extends `${A}/${infer K}` ? K : never

/**
 * The name of a kind. In a group version of Kubernetes it must be a known one, so that `Deploymnt` does not compile.
 */
export type KindName<A extends string, K extends string> = string extends K
  ? K
  : [KindsIn<A, keyof BuiltInKinds>] extends [never]
    ? K
    : K extends KindsIn<A>
      ? K
      : KindsIn<A>

/** The type of the namespace of a kind's objects: none for cluster-scoped kinds. */
export type NamespaceFor<A extends string, K extends string> = `${A}/${K}` extends ClusterScopedKinds
  ? undefined
  : string | undefined

/** An object of a kind without a type. Its conditions are typed, since most statuses have them. */
export interface LooseObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  spec?: { [field: string]: unknown }
  status?: { conditions?: Condition[]; [field: string]: unknown }
  data?: { [field: string]: unknown }
}

/** The minimum that the client needs of an object. */
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
