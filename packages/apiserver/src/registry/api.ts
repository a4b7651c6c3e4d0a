// The one way to read and write objects, for HTTP requests and for the controllers inside the server alike.
// Every write through it passes the whole pipeline: decode, admission, defaulting, validation, one conditional
// write. Controllers get this and never see the store.

import type { KubeObject, ObjectName } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { DeleteOptions } from './delete-options.ts'

/** Names a resource without a version: the stored kind. */
export interface ResourceName {
  readonly group: string
  readonly resource: string
}

export type { ObjectName }

/** A change as a controller sees it. It has only the key, since a reconcile reads current state. */
export interface KeyEvent {
  readonly resource: ResourceName
  readonly namespace: string | undefined
  readonly name: string
  readonly deleted: boolean
}

/** A change with the cached objects, for controllers that check the bytes before they parse them. */
export interface ObjectChange {
  readonly resource: ResourceName
  /** Undefined when the object was deleted. */
  readonly object: CachedObject | undefined
  readonly previous: CachedObject | undefined
}

export interface WriteOptions {
  /** As in the URL. */
  readonly subresource?: string
  /** The field manager. Default: that of the Api's identity. */
  readonly manager?: string
}

/** Reads. Unless a method says otherwise it returns fresh copies in the storage version, which the caller may change. */
export interface ApiReads {
  get(resource: ResourceName, name: ObjectName): KubeObject | undefined
  list(resource: ResourceName, namespace?: string): KubeObject[]
  /** The names of the first objects, without parsing them. Works for resources that are no longer served, too. */
  names(resource: ResourceName, namespace: string | undefined, limit: number): ObjectName[]
  /** How many objects of the resource exist (in the namespace). */
  count(resource: ResourceName, namespace?: string): number
  /** The cached object. */
  object(resource: ResourceName, name: ObjectName): CachedObject | undefined
  /** A cached object parsed, read-only; undefined for a damaged record. Recently written objects are parsed already. */
  parsed(resource: ResourceName, object: CachedObject): KubeObject | undefined
  /** A snapshot of the cached objects, in the order of their names. */
  objects(resource: ResourceName): Iterable<CachedObject>
  /** Whether the resource can be written now. */
  serves(resource: ResourceName): boolean
  /** Every resource that has objects, served or not. */
  stored(): ResourceName[]
  /** When the object was last written, in ms since the epoch. */
  writtenAt(resource: ResourceName, name: ObjectName): Promise<number | undefined>
}

/** Writes. Each returns the object as it is after the write. */
export interface ApiWrites {
  create(resource: ResourceName, object: KubeObject, options?: WriteOptions): Promise<KubeObject>
  /** Replaces the object; its resourceVersion is the precondition. `subresource` as in the URL. */
  update(resource: ResourceName, object: KubeObject, subresource?: string): Promise<KubeObject>
  /**
   * Edits the newest state under the key's lock, so that it never conflicts. Returns undefined when the object does not
   * exist. Writes nothing when the edit changes nothing.
   */
  change(
    resource: ResourceName,
    name: ObjectName,
    change: (object: KubeObject) => void,
    options?: WriteOptions,
  ): Promise<KubeObject | undefined>
  /**
   * The fast path for a status: `next` makes the new status without changing the object, or returns the old one when there
   * is nothing to do. Returns the cached object. An error that `next` throws aborts the write.
   */
  writeStatus(
    resource: ResourceName,
    name: ObjectName,
    next: (object: KubeObject) => unknown,
  ): Promise<CachedObject | undefined>
  /** Server-side apply with force. Fields that the manager applied before and omits now are removed. */
  apply(resource: ResourceName, object: KubeObject, options: WriteOptions): Promise<KubeObject>
  /** `subresource` names the action of which the deletion is a part. */
  delete(
    resource: ResourceName,
    name: ObjectName,
    options?: DeleteOptions,
    write?: Pick<WriteOptions, 'subresource'>,
  ): Promise<void>
}

/** Subscriptions to committed changes. Both methods return a function that unsubscribes. */
export interface ApiFollows {
  /** Calls back for every committed change of the resource, in order, starting with those that exist now. */
  subscribe(resource: ResourceName, onChange: (event: KeyEvent) => void): () => void
  /** Every committed change from now on, of the resource, or of all. Must not throw. */
  follow(resource: ResourceName | 'all', onChange: (change: ObjectChange) => void): () => void
}

/** The whole Api, for the code that wires the server. Other code names the part that it needs. */
export interface Api extends ApiReads, ApiWrites, ApiFollows {}
