// What the generic path needs to know about a resource. Built-in kinds and custom ones are both described
// by this; nothing after the lookup asks which of the two it has, except where Kubernetes itself differs.

import type { Cause, KubeObject, MapType } from '@homeostat/meta'
import type { User } from '../identity/user.ts'
import type { ApiExtension } from './api-extension.ts'
import type { DeleteOptions } from './delete-options.ts'
import type { TypeMemo } from './type-memo.ts'
import type { WriteEnd } from './write-end.ts'

/** One served version of one resource. A new one is made whenever its definition changes. */
export interface ResourceType {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly listKind: string
  /** The plural, as in the URL. */
  readonly resource: string
  readonly singular: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  /** `group/resource` in the store; `core` for the core group. */
  readonly storage: string
  /** The version stored bytes are written in. Reading any other version is a transformation. */
  readonly storageVersion: string
  /** How objects are stored in a version that is not served, and so has no type of its own. */
  readonly storedForm?: StoredForm
  /** An object last written at or below this revision is pruned and defaulted anew when first read. 0: never. */
  readonly viewEpoch: number
  /** Where this type and the stored one differ by more than apiVersion (the two APIs of events). */
  readonly conversion?: Conversion
  readonly subresources: Subresources
  readonly columns: readonly Column[]
  /** Fields that fieldSelector knows besides metadata.name and metadata.namespace, each with how to read it. */
  readonly selectableFields: Readonly<Record<string, (object: KubeObject) => string>>
  readonly strategy: Strategy
  /** What is kept of its objects for as long as the type is served. */
  readonly memo: TypeMemo
  /** Brings in what only writes need; called before each. Undefined, and absent, when nothing is left to bring. */
  readonly compile?: () => Promise<void> | undefined
  /** How its objects are merged, by apply and by strategic patches; and what managed fields can name. */
  readonly mergeType: MapType
  /** What an object has when nothing was said: parts that are always there, and that nobody owns as they are. */
  readonly emptyTemplate?: KubeObject
  /** A question that is answered and not stored (access reviews): a create answers with what this makes of it. */
  readonly review?: (object: KubeObject, user: User) => KubeObject | Promise<KubeObject>
  /** Text of the Warning header that every answer carries; absent when not deprecated. */
  readonly deprecation?: string
  /** A custom resource: strategic merge and protobuf are refused, wrong types are 422 and not 400. */
  readonly custom: boolean
  /** Holds secrets: no error repeats what a client sent of it, or what is stored. */
  readonly confidential?: boolean
  /** False while its definition terminates: then creates are refused. */
  readonly acceptsCreates: boolean
  /** Opt-in of a definition: a PUT may leave out resourceVersion, a create makes its namespace. */
  readonly createsNamespaces: boolean
  /** The OpenAPI v3 schema of the kind, as published, without apiVersion, kind and metadata. */
  readonly openapi: Readonly<Record<string, unknown>>
}

/** What a stored object is made to be, in place. */
export type StoredForm = Pick<ObjectForm, 'prune' | 'applyDefaults'>

/** Both take an object they may change and use. */
export interface Conversion {
  fromStored(object: KubeObject): KubeObject
  toStored(object: KubeObject): KubeObject
}

export interface Subresources {
  readonly status: boolean
  readonly scale?: ScalePaths
  /** By their names in the URL. */
  readonly others?: Readonly<Record<string, Subresource>>
}

/** A part of the object that is written on its own, or an action on it. */
export interface Subresource {
  readonly verbs: readonly string[]
  /** The kind its bodies have, where that is not the resource's own. */
  readonly answers?: { readonly group: string; readonly version: string; readonly kind: string }
  /** How the body of an action is read, where it is not of the resource's own kind. */
  readonly body?: ResourceType
  /** A part: takes from `old`, in place, all that this subresource does not change. */
  prepare?(object: KubeObject, old: KubeObject): void
  /** What is wrong with a change of this part, where that is not what the kind's own rules say. */
  validateUpdate?(object: KubeObject, old: KubeObject, user?: User): Cause[]
  /** An action: what a POST does with the object and the body, and answers. */
  act?(object: KubeObject, body: KubeObject, user: User): Promise<KubeObject>
  /** Answered by an extension of the API, by verb. */
  readonly connect?: Readonly<Record<string, ApiExtension['connect']>>
}

export interface ScalePaths {
  /** Simple dotted JSON paths, e.g. `.spec.replicas`. */
  readonly specReplicas: string
  readonly statusReplicas: string
  readonly labelSelector?: string
}

/** A table column after `Name`, which every table has first unless the kind says otherwise. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
  /** The cell for an object; null when it has none. `now` is milliseconds since the epoch. */
  cell(object: KubeObject, now: number): unknown
}

/** How an object of the kind must look, whoever sends or stores it. */
export interface ObjectForm {
  /**
   * Removes, in place, what the schema does not know, and drops nulls that cannot stay. Returns the removed paths. What the
   * object shares with `done`, an object of this type as it is read, need not be looked into.
   */
  prune(object: KubeObject, done?: KubeObject): string[]
  /** Fills defaults in, in place; `done` as above. */
  applyDefaults(object: KubeObject, done?: KubeObject): void
  /** Types the whole object must have to be decoded at all; for built-in kinds a failure is 400. */
  decodeErrors(object: KubeObject): Cause[]
}

/** What holds for a new object. */
export interface CreateRules {
  /** Messages for a bad name; `prefix` when it is a generateName. Empty when the name is good. */
  nameErrors(name: string, prefix: boolean): string[]
  /**
   * Sets what the server decides on create (`status` dropped, Secret type, namespace finalizers, ...). False when it left the
   * object, which has its defaults, as it was.
   */
  prepareForCreate(object: KubeObject, user?: User): boolean
  /** Everything wrong with a new object except its metadata, which the generic path checks. */
  validate(object: KubeObject): Cause[]
  /** Sets what a new object that passed validation begins with; defaults are filled in once more after it. */
  prepareValidated?(object: KubeObject, user?: User): void
  /**
   * A last look at a new object, which is right and whose name is free: it is stored next. May set its status, to what is
   * right, too. Not called for a dry run. What it answers is told how the write ended.
   */
  beforeInsert?(object: KubeObject): WriteEnd | undefined
}

/** What holds for a write to an object that exists. */
export interface UpdateRules {
  readonly unconditionalUpdate: boolean
  readonly createOnUpdate: boolean
  /** Sets what a write to the main resource cannot change (`status` from `old` where it is a subresource). */
  prepareForUpdate(object: KubeObject, old: KubeObject): void
  /** Takes everything but status from `old`. */
  prepareForStatusUpdate(object: KubeObject, old: KubeObject): void
  validateUpdate(object: KubeObject, old: KubeObject, user?: User): Cause[]
  /** The same for a write to the status subresource, where that is told differently. */
  validateStatusUpdate?(object: KubeObject, old: KubeObject): Cause[]
}

/** What holds for both. */
export interface WriteTraits {
  /** Whether writes of this kind count generations. */
  readonly generation: boolean
  /** Paths that a write never owns as managed fields, by subresource: '' is the main resource. */
  readonly resetFields?: Readonly<Record<string, readonly (readonly string[])[]>>
  /** For large objects: does in turns of the event loop what would make the validation that follows take long. */
  beforeValidation?(object: KubeObject, old: KubeObject | undefined): Promise<void>
  /** Texts for Warning headers on a write that succeeds. */
  warnings(object: KubeObject, old: KubeObject | undefined): string[]
}

/** What holds for a DELETE, and for an object that is on its way out. */
export interface DeleteRules {
  /** DELETE answers with the object instead of a Status. */
  readonly deleteReturnsObject: boolean
  /** What happens to dependents when a DELETE does not say: deleted unless said here. `ignored`: whatever it says. */
  readonly dependents?: 'orphaned' | 'ignored'
  /** Seconds that an object stays after its first DELETE; 0 lets it go at once. Absent for kinds that know no grace. */
  deletionGrace?(object: KubeObject, options: DeleteOptions): number
  /** Runs when DELETE is asked for an object; throws to refuse. May set fields (namespace phase Terminating). */
  beforeDelete?(object: KubeObject): void
  /** True when an object being deleted may vanish once its metadata.finalizers are empty (namespaces: spec.finalizers too). */
  mayVanish(object: KubeObject): boolean
}

/** What differs between kinds on the way from a request to the stored object. */
export interface Strategy extends ObjectForm, CreateRules, UpdateRules, WriteTraits, DeleteRules {}
