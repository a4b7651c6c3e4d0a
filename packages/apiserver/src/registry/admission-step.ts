// A step that an extension adds to the write pipeline. It runs for the writes of HTTP requests, controllers and add-ons
// alike, and refuses a write by throwing a StatusError.

import type { KubeObject } from '@homeostat/meta'
import type { DeleteOptions } from './delete-options.ts'
import type { WriteEnd } from './write-end.ts'
import type { WriteRequest } from './write-request.ts'

/** What a write does to an object. A DELETE of a collection is one DELETE per object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE'

/** The part of a write that an added step sees. */
export interface AdmittedWrite {
  readonly operation: Operation
  readonly request: WriteRequest
  /** The stored object; undefined for a create. Read-only. */
  readonly old: KubeObject | undefined
  /**
   * The object to store. A mutating step assigns a new object and never changes this one in place. For a DELETE it is the
   * object's last state, and what a step assigns is ignored.
   */
  object: KubeObject
  /** The managed fields to store, as far as they are known. */
  readonly managedFields: readonly unknown[] | undefined
  /** The server makes the name of a new object. */
  readonly generatesName: boolean
  /** Of a DELETE. */
  readonly deleteOptions: DeleteOptions | undefined
  /** 0; 1 when the mutating steps run again because one of them asked for it. */
  readonly round: number
  /** Asks that the mutating steps run once more, since earlier ones have not seen what this one made of the object. */
  reinvoke(): void
  /** Notes something for the audit, under a key that names who says it. */
  annotate(key: string, value: string): void
  /** What was noted in the newest attempt. */
  readonly annotations: ReadonlyMap<string, string>
  /**
   * Calls `end` once: with the stored object, or with undefined when this attempt stored nothing and must be undone. A DELETE
   * that removed the object ends with undefined, too.
   */
  onEnd(end: WriteEnd): void
}

interface AddedStep {
  /** For messages and profiles. */
  readonly name: string
  /**
   * The operations that the step takes. Default: CREATE and UPDATE. An update that ends the last finalizer of a deleted object
   * is an UPDATE, as in Kubernetes.
   */
  readonly operations?: readonly Operation[]
  /** Whether the step applies to such a write; called once, before the first step. Default: to every write. */
  applies?(request: WriteRequest): boolean
  /**
   * Whether the step takes POSTs to an action such as `pods/eviction`, too: as a CREATE whose object is the body. Default: no, so
   * that it meets objects of its kind alone.
   */
  readonly actions?: boolean
}

/** `mutate` runs after defaults and managed fields, before the kind's rules; `admit` runs on the complete object. */
export interface DecidingStep extends AddedStep {
  readonly at: 'mutate' | 'admit'
  /**
   * The step may wait, for example for a webhook. Then the write is decided on a snapshot without the key's lock, which is
   * taken only to compare and commit; if the object changed meanwhile, the write is decided again.
   */
  readonly waits?: boolean
  run(write: AdmittedWrite): void | Promise<void>
}

/** Reserves what the valid object costs, such as quota. Runs under the key's lock; the object is stored next. */
export interface ReservingStep extends AddedStep {
  readonly at: 'reserve'
  readonly operations?: readonly Exclude<Operation, 'DELETE'>[]
  /** The ticket under which it decides, if other servers decide the same. */
  ticket?(request: WriteRequest): string
  run(write: AdmittedWrite): void
}

/**
 * Notified of the end of every write, also of a refused one. Must not throw. With CREATE or UPDATE among its operations it
 * hears of both: which of them a write is may be unknown when it fails.
 */
export interface AuditStep extends AddedStep {
  readonly at: 'audit'
  run(write: Pick<AdmittedWrite, 'request' | 'annotations'>, failure: unknown): void
}

export type AdmissionStep = DecidingStep | ReservingStep | AuditStep
