// The one way to read and write objects, for HTTP requests and for the controllers inside the server alike.
// Every write through it passes the whole pipeline: decode, admission, defaulting, validation, one conditional
// write. Controllers get this and never see the store.

import type { KubeObject } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { DeleteOptions } from './delete-options.ts'

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

/** A change with the objects as the cache holds them, for controllers that look at bytes before they parse any. */
export interface ObjectChange {
  readonly resource: ResourceName
  /** Absent when it was deleted. */
  readonly object: CachedObject | undefined
  readonly previous: CachedObject | undefined
}

export interface WriteOptions {
  /** As in the URL. */
  readonly subresource?: string
  /** Who owns what is written. Default: who the Api was made for. */
  readonly manager?: string
}

/** What is there. Objects are fresh copies in the storage version, where nothing else is said: a caller may change them. */
export interface ApiReads {
  get(resource: ResourceName, name: ObjectName): KubeObject | undefined
  list(resource: ResourceName, namespace?: string): KubeObject[]
  /** Names of the first objects, without parsing them. Also for resources that are no longer served. */
  names(resource: ResourceName, namespace: string | undefined, limit: number): ObjectName[]
  /** How many objects of the resource exist (in the namespace). */
  count(resource: ResourceName, namespace?: string): number
  /** The object as the cache holds it. */
  object(resource: ResourceName, name: ObjectName): CachedObject | undefined
  /** What such an object says, not to be changed; undefined for a damaged record. Quick for what was just written. */
  parsed(resource: ResourceName, object: CachedObject): KubeObject | undefined
  /** A picture of all objects as the cache holds them, in the order of their names. */
  objects(resource: ResourceName): Iterable<CachedObject>
  /** Whether the resource can be written now. */
  serves(resource: ResourceName): boolean
  /** Every resource that has objects, served or not. */
  stored(): ResourceName[]
  /** When the object was last written, in ms since the epoch. */
  writtenAt(resource: ResourceName, name: ObjectName): Promise<number | undefined>
}

/** Changes what is there. Each answers with the object as it is then. */
export interface ApiWrites {
  create(resource: ResourceName, object: KubeObject, options?: WriteOptions): Promise<KubeObject>
  /** Replaces the object; its resourceVersion is the precondition. `subresource` as in the URL. */
  update(resource: ResourceName, object: KubeObject, subresource?: string): Promise<KubeObject>
  /**
   * Reads the newest state, lets the caller change it, and writes it, with nobody in between: it never conflicts.
   * Undefined when the object is not there. What was not changed is not written.
   */
  change(
    resource: ResourceName,
    name: ObjectName,
    change: (object: KubeObject) => void,
    options?: WriteOptions,
  ): Promise<KubeObject | undefined>
  /**
   * The same for those who are in a hurry: `next` makes the new status without changing the object, or answers the old one
   * for nothing to do; what is written comes as the cache holds it. A throw of `next` ends it.
   */
  writeStatus(
    resource: ResourceName,
    name: ObjectName,
    next: (object: KubeObject) => unknown,
  ): Promise<CachedObject | undefined>
  /** Server-side apply. What the manager said before and does not say now goes. Conflicts are taken over. */
  apply(resource: ResourceName, object: KubeObject, options: WriteOptions): Promise<KubeObject>
  delete(resource: ResourceName, name: ObjectName, options?: DeleteOptions): Promise<void>
}

/** Tells of changes as they are committed. Both answer with what ends it. */
export interface ApiFollows {
  /** Calls back for every committed change of the resource, in order, starting with those that exist now. */
  subscribe(resource: ResourceName, onChange: (event: KeyEvent) => void): () => void
  /** Every committed change from now on, of the resource, or of all. Must not throw. */
  follow(resource: ResourceName | 'all', onChange: (change: ObjectChange) => void): () => void
}

/** All of it, for those who put parts together. Others name what they need. */
export interface Api extends ApiReads, ApiWrites, ApiFollows {}
