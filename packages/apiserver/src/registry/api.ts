// The one way to read and write objects, for HTTP requests and for the controllers inside the server alike.
// Every write through it passes the whole pipeline: decode, admission, defaulting, validation, one conditional
// write. Controllers get this and never see the store.

import type { KubeObject } from '@homeostat/meta'

/** Names a resource without a version: the stored kind. */
export interface ResourceName {
  readonly group: string
  readonly resource: string
}

export interface ObjectName {
  readonly namespace?: string
  readonly name: string
}

/** A change as a controller sees it. Keys only: a reconcile reads current state. */
export interface KeyEvent {
  readonly resource: ResourceName
  readonly namespace: string | undefined
  readonly name: string
  readonly deleted: boolean
}

/** Objects are fresh copies in the storage version: a caller may change them. */
export interface Api {
  get(resource: ResourceName, name: ObjectName): KubeObject | undefined
  list(resource: ResourceName, namespace?: string): KubeObject[]
  /** Names of the first objects, without parsing them. Also for resources that are no longer served. */
  names(resource: ResourceName, namespace: string | undefined, limit: number): ObjectName[]
  /** How many objects of the resource exist (in the namespace). */
  count(resource: ResourceName, namespace?: string): number
  create(resource: ResourceName, object: KubeObject): Promise<KubeObject>
  /** Replaces the object; its resourceVersion is the precondition. `subresource` as in the URL. */
  update(resource: ResourceName, object: KubeObject, subresource?: 'status' | 'finalize'): Promise<KubeObject>
  delete(resource: ResourceName, name: ObjectName, options?: { uid?: string }): Promise<void>
  /** Calls back for every committed change of the resource, in order, starting with those that exist now. */
  subscribe(resource: ResourceName, onChange: (event: KeyEvent) => void): () => void
}
