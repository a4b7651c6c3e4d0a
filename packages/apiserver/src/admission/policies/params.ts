// The parameters of a policy for one binding: objects by name or by selector, as the cache has them now.

import { type KubeObject, type LabelSelector, parseGroupVersion, selectorOf } from '@homeostat/meta'
import { type Fields, fieldsOf, textOf } from '../../builtin/fields-of.ts'
import type { CachedObject } from '../../cache/cached-object.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import type { ResourceTypes } from '../../registry/resource-types.ts'
import { readAs } from '../../registry/versions.ts'
import type { CachedObjects } from '../cached-objects.ts'

export interface ParamKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export interface ParamRef {
  readonly name: string
  readonly namespace: string
  /** Undefined when the parameter is named. */
  readonly selector: LabelSelector | undefined
  /** Without any parameter the write is refused. */
  readonly denies: boolean
}

/** The objects, or null for a policy that is evaluated once without one; or what keeps the binding from being used. */
export type Params =
  | { readonly objects: readonly (KubeObject | null)[]; readonly problem?: undefined }
  | { readonly objects?: undefined; readonly problem: string }

export function paramKindOf(given: unknown): ParamKind | undefined {
  const { apiVersion, kind } = fieldsOf(given)
  if (typeof apiVersion !== 'string') return undefined
  const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {}
  return { group, version, kind: textOf(kind) }
}

export function paramRefOf(given: unknown): ParamRef | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const { name, namespace, selector, parameterNotFoundAction }: Fields = fieldsOf(given)
  return {
    name: textOf(name),
    namespace: textOf(namespace),
    selector: textOf(name) === '' ? selectorOf(selector) : undefined,
    denies: parameterNotFoundAction === 'Deny',
  }
}

const NONE: Params = { objects: [null] }

export class ParamObjects {
  readonly #cached: CachedObjects
  readonly #types: Pick<ResourceTypes, 'all' | 'generation'>
  /** Each object is read once while it stays as it is, not for every write (bench row "a policy with parameters"). */
  readonly #read = new WeakMap<ResourceType, WeakMap<CachedObject, KubeObject>>()
  #kinds = new Map<string, ResourceType | undefined>()
  #generation = -1

  constructor(cached: CachedObjects, types: Pick<ResourceTypes, 'all' | 'generation'>) {
    this.#cached = cached
    this.#types = types
  }

  /** The resource of the kind; undefined when it is not served. */
  typeOf({ group, version, kind }: ParamKind): ResourceType | undefined {
    if (this.#generation !== this.#types.generation) {
      this.#generation = this.#types.generation
      this.#kinds = new Map()
    }
    const key = `${group}/${version}/${kind}`
    if (!this.#kinds.has(key)) {
      const found = this.#types
        .all()
        .find((type) => type.kind === kind && type.version === version && type.group === group && !type.review)
      this.#kinds.set(key, found)
    }
    return this.#kinds.get(key)
  }

  /** `namespace` is that of the write. */
  collect(kind: ParamKind | undefined, ref: ParamRef | undefined, namespace: string | undefined): Params {
    if (kind === undefined || ref === undefined) return NONE
    const type = this.typeOf(kind)
    if (type === undefined) return { problem: `paramKind kind \`${kindText(kind)}\` not known` }
    const place = placeOf(type, ref, namespace)
    if (place.problem !== undefined) return place
    const { tree } = this.#cached.resource(type.storage)
    const named = ref.selector === undefined ? tree.get(place.prefix + ref.name) : undefined
    const found = ref.selector === undefined ? (named === undefined ? [] : [named]) : tree.objects(place.prefix)
    const objects: KubeObject[] = []
    for (const cached of found) {
      if (cached.damage !== undefined || !(ref.selector?.matches(cached.labels) ?? true)) continue
      objects.push(this.#readAs(cached, type))
    }
    if (objects.length === 0 && ref.denies)
      return { problem: 'no params found for policy binding with `Deny` parameterNotFoundAction' }
    return { objects }
  }

  #readAs(cached: CachedObject, type: ResourceType): KubeObject {
    let read = this.#read.get(type)
    if (read === undefined) {
      read = new WeakMap()
      this.#read.set(type, read)
    }
    let object = read.get(cached)
    if (object === undefined) {
      object = readAs(cached, type)
      read.set(cached, object)
    }
    return object
  }
}

export function kindText({ group, version, kind }: ParamKind): string {
  return `${group}/${version}, Kind=${kind}`
}

function placeOf(
  type: ResourceType,
  ref: ParamRef,
  namespace: string | undefined,
): { readonly prefix: string; readonly problem?: undefined } | { readonly problem: string } {
  if (!type.namespaced) {
    return ref.namespace === ''
      ? { prefix: '' }
      : { problem: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' }
  }
  const inside = ref.namespace || namespace
  if (inside !== undefined) return { prefix: `${inside}/` }
  return { problem: 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources' }
}
