// What the variables of expressions are bound to for one write: each is made when an expression first reads it, once for all
// policies.

import { type Authorize, authorizerValue, resourceCheckValue } from '@homeostat/cel/without-compiler'
import type { KubeObject } from '@homeostat/meta'
import type { User } from '../../identity/user.ts'
import type { AdmittedWrite } from '../../registry/admission-step.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import type { MatchedWrite } from '../matching/matched-write.ts'
import { requestFields } from '../webhook/admission-review.ts'
import { seenNow } from '../webhook/seen-object.ts'

/** The names that expressions use, besides `variables`. */
export interface WriteBindings {
  readonly object: unknown
  readonly oldObject: unknown
  readonly request: unknown
  readonly namespaceObject: unknown
  readonly authorizer: unknown
  readonly 'authorizer.requestResource': unknown
}

export interface BindingSources {
  /** The stored namespace, read-only. */
  namespace(name: string): KubeObject | undefined
  authorizeAs(user: User): Authorize
}

/** The bindings of a write for those that see it in one version. */
export class VersionBindings implements WriteBindings {
  readonly #write: AdmittedWrite
  readonly #matched: MatchedWrite
  readonly #type: ResourceType
  readonly #sources: BindingSources
  #object: unknown
  #oldObject: unknown
  #request: unknown
  #namespace: unknown
  #authorize: Authorize | undefined

  constructor(write: AdmittedWrite, matched: MatchedWrite, type: ResourceType, sources: BindingSources) {
    this.#write = write
    this.#matched = matched
    this.#type = type
    this.#sources = sources
  }

  get object(): unknown {
    if (this.#write.operation === 'DELETE') return null
    this.#object ??= this.#seen(this.#write.object)
    return this.#object
  }

  get oldObject(): unknown {
    const { old } = this.#write
    if (old === undefined) return null
    this.#oldObject ??= this.#seen(old)
    return this.#oldObject
  }

  get request(): unknown {
    const { operation, request, deleteOptions } = this.#write
    const { name } = this.#matched
    this.#request ??= requestFields({ operation, request, deleteOptions, type: this.#type, name })
    return this.#request
  }

  get namespaceObject(): unknown {
    const { type, namespace } = this.#write.request
    if (namespace === undefined || type.storage === 'core/namespaces') return null
    this.#namespace ??= shownNamespace(this.#sources.namespace(namespace))
    return this.#namespace
  }

  get authorizer(): unknown {
    return authorizerValue(this.#authorizeUser())
  }

  get 'authorizer.requestResource'(): unknown {
    const { type, subresource = '', namespace = '' } = this.#write.request
    const { group, resource } = type
    const { name } = this.#matched
    return resourceCheckValue(this.#authorizeUser(), { group, resource, subresource, namespace, name })
  }

  #authorizeUser(): Authorize {
    this.#authorize ??= this.#sources.authorizeAs(this.#write.request.user)
    return this.#authorize
  }

  #seen(object: KubeObject): object {
    const { request } = this.#write
    return seenNow(object, request.type, this.#type, request.subresource)
  }
}

/** Only what Kubernetes shows of a namespace; null when there is none. */
function shownNamespace(namespace: KubeObject | undefined): unknown {
  if (namespace === undefined) return null
  const {
    managedFields: _,
    ownerReferences: __,
    selfLink: ___,
    ...metadata
  } = namespace.metadata as Record<string, unknown>
  return { metadata, spec: namespace.spec, status: namespace.status }
}
