// What a kind answers when the API server asks before it stores an object of it. `operator()` makes it from the author's
// functions; the webhooks of a run serve it.

import type { ApiObject } from '@homeostat/client'

export interface AdmissionUser {
  readonly username: string
  readonly groups: readonly string[]
}

/** A write that the API server asks about. */
export interface AdmissionCall {
  readonly operation: 'CREATE' | 'UPDATE'
  /** Empty while the server is to make the name. */
  readonly name: string
  /** Undefined for a cluster-scoped kind. */
  readonly namespace: string | undefined
  /** The object to store. Read-only. */
  readonly object: ApiObject
  /** The stored object; undefined for a create. */
  readonly old: ApiObject | undefined
  readonly user: AdmissionUser
  readonly dryRun: boolean
  /** Shows the client a warning. */
  warn(text: string): void
}

export interface KindWebhooks {
  /** What is wrong with the object; nothing accepts it. */
  validate?(call: AdmissionCall): Promise<readonly string[]>
  /** The spec to store instead, as JSON; undefined leaves it. */
  mutate?(call: AdmissionCall): Promise<unknown>
  /** The object in another version of the kind. */
  convert?(object: ApiObject, version: string): ApiObject
}
