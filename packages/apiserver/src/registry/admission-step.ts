// What an extension adds to the write pipeline: a step at one of its places. The pipeline runs it for HTTP requests,
// controllers and add-ons alike. A step refuses a write by throwing a StatusError.

import type { KubeObject } from '@homeostat/meta'
import type { WriteEnd } from './write-end.ts'
import type { WriteRequest } from './write-request.ts'

/** The part of a write that an added step sees. */
export interface AdmittedWrite {
  readonly request: WriteRequest
  /** What is stored now; undefined for a new object. Not to be changed. */
  readonly old: KubeObject | undefined
  /** What shall be stored. A mutating step sets another object here and leaves the one that it found as it was. */
  object: KubeObject
  /** Calls back once, with what was stored, or without when this attempt stored nothing: the place for an undo. */
  onEnd(end: WriteEnd): void
}

interface AddedStep {
  /** For messages and profiles. */
  readonly name: string
  /** Whether the step has to do with such a write; asked once, before anything is done. Default: with every one. */
  applies?(request: WriteRequest): boolean
}

/** After defaults and managed fields, before the rules of the kind; or after these, when the object is complete. */
export interface DecidingStep extends AddedStep {
  readonly at: 'mutate' | 'admit'
  /**
   * May wait for somebody else. Then all is decided on a snapshot without holding the key, which is held only to compare
   * and commit; when the object moved meanwhile, all is decided again.
   */
  readonly waits?: boolean
  run(write: AdmittedWrite): void | Promise<void>
}

/** The last look, under the key's lock: the object is right, its place is free, it is stored next. Takes what it costs. */
export interface ReservingStep extends AddedStep {
  readonly at: 'reserve'
  run(write: AdmittedWrite): void
}

/** Told of the end of every write, also of one that was refused. Must not throw. */
export interface AuditStep extends AddedStep {
  readonly at: 'audit'
  run(write: Pick<AdmittedWrite, 'request'>, failure: unknown): void
}

export type AdmissionStep = DecidingStep | ReservingStep | AuditStep
