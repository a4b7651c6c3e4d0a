// Describes one served resource to the generic code. Built-in and custom kinds share this description; code after the
// lookup does not ask which of the two it has, except where Kubernetes itself differs.

import type { KubeObject } from '@homeostat/meta'
import type { MapType } from '@homeostat/meta/merge'
import type { Cause } from '@homeostat/meta/server'
import type { CompiledSchema } from '@homeostat/schema'
import type { User } from '../identity/user.ts'
import type { ApiExtension } from './api-extension.ts'
import type { DeleteOptions } from './delete-options.ts'
import type { TypeMemo } from './type-memo.ts'
import type { VersionConverter } from './version-converter.ts'
import type { WriteEnd } from './write-end.ts'

/** What a resource is called, and what can be done with it: discovery, URLs, errors. */
export interface ResourceNames {
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
}

/** Where its objects are stored, and how stored bytes become what this version shows. */
export interface StoredAs {
  /** `group/resource` in the store; `core` for the core group. */
  readonly storage: string
  /** The version stored bytes are written in. Reading any other version is a transformation. */
  readonly storageVersion: string
  /** How objects are stored in a version that is not served, and so has no type of its own. */
  readonly storedForm?: StoredForm
  /** Whether the store keeps older generations of its objects. Not for heartbeats, events and units of work. */
  readonly keepsHistory: boolean
  /** Objects last written at or below this revision are pruned and defaulted again when first read. 0: never. */
  readonly viewEpoch: number
  /** Where this type and the stored one differ by more than apiVersion (the two APIs of events). */
  readonly conversion?: Conversion
  /** Where only a webhook can convert stored objects into this version. Absent where all are stored in this one. */
  readonly converter?: VersionConverter
  /** Shows and writes objects in the version that they are stored in: for code inside the server alone. */
  readonly hidden?: 'storage version' | 'other version'
}

/** What readers get besides the object itself. */
export interface ShownAs {
  readonly columns: readonly Column[]
  /** Fields of fieldSelector besides metadata.name and metadata.namespace, each with a function that reads it. */
  readonly selectableFields: Readonly<Record<string, (object: KubeObject) => string>>
  /** The Warning header of every response; absent when not deprecated. */
  readonly deprecation?: string
  /** The OpenAPI v3 schema of the kind, as published, without apiVersion, kind and metadata. */
  readonly openapi: Readonly<Record<string, unknown>>
  /** What is cached of its objects for as long as the type is served. */
  readonly memo: TypeMemo
}

/** What the write pipeline asks. */
export interface WrittenBy {
  readonly strategy: Strategy
  /**
   * Called before each write: compiles the schema, yielding to the event loop, and loads the rules of an add-on. Absent, or
   * returns undefined, when there is nothing left to do.
   */
  readonly compile?: () => Promise<void> | undefined
  /** How apply and strategic patches merge its objects, and which fields managed fields can name. */
  readonly mergeType: MapType
  /** An object with only the parts that every object of the kind has. No manager owns them in this state. */
  readonly emptyTemplate?: KubeObject
  /** A custom resource: strategic merge and protobuf are refused, wrong types are 422 and not 400. */
  readonly custom: boolean
  /** Holds secrets: no error quotes values that a client sent or that are stored. */
  readonly confidential?: boolean
  /** False while its definition terminates; creates are refused then. */
  readonly acceptsCreates: boolean
  /** Its status is written for each step of a unit of work; no webhook and no policy is asked about these writes. */
  readonly ownStatus?: boolean
  /** Opt-in of a definition: a PUT may leave out resourceVersion, a create makes its namespace. */
  readonly createsNamespaces: boolean
}

/** One served version of one resource. A new one is made whenever its definition changes. */
export interface ResourceType extends ResourceNames, StoredAs, ShownAs, WrittenBy {
  readonly subresources: Subresources
  /** For kinds that are answered and not stored (access reviews): a create returns the result of this function. */
  readonly review?: (object: KubeObject, user: User) => KubeObject | Promise<KubeObject>
}

/** Brings a stored object into shape, in place. */
export type StoredForm = Pick<ObjectForm, 'prune' | 'applyDefaults'>

/** Both functions may change and keep the object that they are given. */
export interface Conversion {
  fromStored(object: KubeObject): KubeObject
  toStored(object: KubeObject): KubeObject
}

export interface Subresources {
  readonly status: boolean
  readonly scale?: ScalePaths
  /** By name in the URL. */
  readonly others?: Readonly<Record<string, Subresource>>
}

/** A part of the object that is written on its own, or an action on it. */
export interface Subresource {
  readonly verbs: readonly string[]
  /** The kind of its responses, if it is not the resource's own. */
  readonly answers?: { readonly group: string; readonly version: string; readonly kind: string }
  /** The type of an action's body, if it is not the resource's own. */
  readonly body?: ResourceType
  /** For a part: copies from `old`, in place, every field that this subresource cannot change. */
  prepare?(object: KubeObject, old: KubeObject): void
  /** Validates a change of this part, if the kind's own rules do not. */
  validateUpdate?(object: KubeObject, old: KubeObject, user?: User): Cause[]
  /** For an action: performs a POST on the object with the body and returns the response. A dry run changes nothing. */
  act?(object: KubeObject, body: KubeObject, user: User, dryRun: boolean): Promise<KubeObject>
  /** Functions of an extension that serves this subresource, by verb. */
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

/** The shape of the kind's objects. */
export interface ObjectForm {
  /**
   * Removes, in place, fields that the schema does not know and nulls that it does not allow. Returns the removed paths.
   * Parts that the object shares with `done`, a pruned and defaulted object, are skipped.
   */
  prune(object: KubeObject, done?: KubeObject): string[]
  /** Fills in defaults, in place; `done` as above. */
  applyDefaults(object: KubeObject, done?: KubeObject): void
  /** Type errors that keep the object from being decoded; for built-in kinds they are a 400. */
  decodeErrors(object: KubeObject): Cause[]
}

/** Rules of a create. */
export interface CreateRules {
  /** Messages for a bad name; `prefix` when it is a generateName. Empty when the name is good. */
  nameErrors(name: string, prefix: boolean): string[]
  /**
   * Sets the fields that the server decides on create (drops `status`, sets the Secret type, namespace finalizers, ...).
   * Returns false if it changed nothing, so that defaults need not be filled in again.
   */
  prepareForCreate(object: KubeObject, user?: User): boolean
  /** Validates a new object except its metadata, which the generic code validates. */
  validate(object: KubeObject): Cause[]
  /** Sets the initial fields of a valid new object; defaults are filled in again after it. */
  prepareValidated?(object: KubeObject, user?: User): void
  /**
   * The last check of a valid new object before it is stored. It may set a valid status. Not called for a dry run. The
   * function that it returns is notified how the write ended.
   */
  beforeInsert?(object: KubeObject): WriteEnd | undefined
  /** A POST of a list creates its items. */
  readonly createsLists?: boolean
}

/** Rules of a write to an existing object. */
export interface UpdateRules {
  readonly unconditionalUpdate: boolean
  readonly createOnUpdate: boolean
  /** Restores fields that a write to the main resource cannot change (`status` from `old` where it is a subresource). */
  prepareForUpdate(object: KubeObject, old: KubeObject): void
  /** Restores everything but the status from `old`. */
  prepareForStatusUpdate(object: KubeObject, old: KubeObject): void
  validateUpdate(object: KubeObject, old: KubeObject, user?: User): Cause[]
  /** The same for a write to the status subresource, if it reports other causes. */
  validateStatusUpdate?(object: KubeObject, old: KubeObject): Cause[]
}

/** Rules of both. */
export interface WriteTraits {
  /**
   * Gives the prepared object its share of something that objects of the kind divide among them, such as addresses; `old` is
   * undefined for a create. The function that it returns is called when this attempt has ended.
   */
  allocate?(object: KubeObject, old: KubeObject | undefined): WriteEnd | undefined
  /** The ticket under which it allocates, if other servers do so, too. */
  readonly allocationTicket?: string
  /** Whether writes of this kind increment metadata.generation. */
  readonly generation: boolean
  /** Paths that a writer never owns, by subresource: '' is the main resource. */
  readonly resetFields?: Readonly<Record<string, readonly (readonly string[])[]>>
  /**
   * Does a part of validation ahead of it: what takes long for a large object, yielding to the event loop, and what needs CEL,
   * which loads late. Undefined when nothing has to wait.
   */
  beforeValidation?(object: KubeObject, old: KubeObject | undefined, isLarge: boolean): Promise<void> | undefined
  /** The rules in CEL of its schema. Asked about objects that the other rules accept. */
  readonly rules?: Pick<CompiledSchema, 'hasRules' | 'judgesTypeNames' | 'checkRules'>
  /** Texts for Warning headers on a write that succeeds. */
  warnings(object: KubeObject, old: KubeObject | undefined): string[]
}

/** Rules of a DELETE, and of an object that is being deleted. */
export interface DeleteRules {
  /** DELETE returns the object instead of a Status. */
  readonly deleteReturnsObject: boolean
  /** The default for dependents when a DELETE names no policy; absent, they are deleted. `ignored`: whatever the DELETE says. */
  readonly dependents?: 'orphaned' | 'ignored'
  /** Seconds that an object stays after its first DELETE; 0 removes it at once. Absent for kinds without grace. */
  deletionGrace?(object: KubeObject, options: DeleteOptions): number
  /** Runs before a DELETE; throws to refuse it. May set fields (namespace phase Terminating). */
  beforeDelete?(object: KubeObject): void
  /** Whether an object may vanish once its metadata.finalizers are empty (namespaces: spec.finalizers, too). */
  mayVanish(object: KubeObject): boolean
}

/** The differences between kinds on the way from a request to the stored object. */
export interface Strategy extends ObjectForm, CreateRules, UpdateRules, WriteTraits, DeleteRules {}
