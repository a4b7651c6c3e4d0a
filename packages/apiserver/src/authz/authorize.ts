// The contract of an authorizer: who may do what. rbac/ decides by the roles of this server; the interface leaves room
// for one that asks another server.

import type { ResourceAttributes } from '../identity/resource-attributes.ts'
import type { User } from '../identity/user.ts'

export type { ResourceAttributes }

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

/** Rules as SelfSubjectRulesReview shows them. */
export interface Rules {
  readonly resourceRules: readonly {
    readonly verbs: readonly string[]
    readonly apiGroups: readonly string[]
    readonly resources: readonly string[]
    readonly resourceNames?: readonly string[]
  }[]
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[]
    readonly nonResourceURLs: readonly string[]
  }[]
  /** Why the rules may be incomplete. */
  readonly evaluationError?: string
}

/** Decides what users may do. A local decision costs no promise; an authorizer that asks another server returns one. */
export interface Authorizer {
  authorize(user: User, attributes: Attributes): Decision | Promise<Decision>
  /** Everything the user may do in the namespace. */
  rulesOf(user: User, namespace: string): Rules | Promise<Rules>
  /** Told of every request that was refused with 403. */
  refused?(user: User, attributes: Attributes): void
}
