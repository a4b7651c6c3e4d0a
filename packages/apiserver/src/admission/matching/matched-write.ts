// A write as webhooks and policies are matched with it: the place, the name and the labels. Made once per write, since all of
// them ask the same.

import type { CachedObject, Labels } from '../../cache/cached-object.ts'
import type { AdmittedWrite, Operation } from '../../registry/admission-step.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import type { WriteRequest } from '../../registry/write-request.ts'
import type { CachedObjects } from '../cached-objects.ts'

const NAMESPACES = 'core/namespaces'
const CONFIGURATION = 'admissionregistration.k8s.io'

export class MatchedWrite {
  readonly type: ResourceType
  /** Empty for the resource itself. */
  readonly subresource: string
  readonly operation: Operation
  /** Empty while the server is to generate it. */
  readonly name: string
  /** Of the object's namespace; a Namespace is in itself. Undefined for what is in no namespace. */
  readonly namespace: string | undefined
  /** The namespace that the object is in, as it is stored. */
  readonly stored: CachedObject | undefined
  readonly #write: AdmittedWrite

  constructor(write: AdmittedWrite, cached: CachedObjects) {
    const { request, operation, object } = write
    const isNamespace = request.type.storage === NAMESPACES
    this.#write = write
    this.type = request.type
    this.subresource = request.subresource ?? ''
    this.operation = operation
    this.name = request.name ?? (write.generatesName ? '' : (object.metadata.name ?? ''))
    this.namespace = isNamespace ? object.metadata.name : request.namespace
    this.stored = this.namespace === undefined ? undefined : cached.resource(NAMESPACES).tree.get(this.namespace)
  }

  /** The labels that namespace selectors are asked about; a Namespace that is written has those that it will have. */
  get namespaceLabels(): Labels | undefined {
    return this.ownNamespace ? this.#write.object.metadata.labels : this.stored?.labels
  }

  /** The write creates or updates a Namespace, whose labels may change with it. */
  get ownNamespace(): boolean {
    return this.type.storage === NAMESPACES && this.operation !== 'DELETE' && this.subresource === ''
  }

  /** The labels that object selectors are asked about: those of the new object and of the old one. */
  get objectLabels(): readonly (Labels | undefined)[] {
    const { object, old, operation } = this.#write
    if (operation === 'CREATE') return [object.metadata.labels]
    return operation === 'DELETE' ? [old?.metadata.labels] : [object.metadata.labels, old?.metadata.labels]
  }
}

/** Whether no webhook and no policy is asked about writes of the kind: they could lock themselves in. */
export function isExempt({ group, resource }: Pick<ResourceType, 'group' | 'resource'>): boolean {
  return group === CONFIGURATION && /^(validating|mutating)(webhookconfigurations|admissionpolic)/.test(resource)
}

/**
 * Whether the server makes the write as a step of something else: the status of a unit of work, written by its own queue for each
 * step, and what an action changes, which was asked about as a whole.
 */
export function isOwnStep({ type, subresource, actionBody }: WriteRequest): boolean {
  if (subresource === undefined || actionBody !== undefined) return false
  return subresource === 'status' ? type.ownStatus === true : type.subresources.others?.[subresource]?.act !== undefined
}
