// SelfSubjectAccessReview, SubjectAccessReview and LocalSubjectAccessReview: may a user do something? Validates and
// answers with the messages of Kubernetes; stores nothing.

import { invalid, isObject, type KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../builtin/fields-of.ts'
import type { User } from '../identity/user.ts'
import type { Attributes, Authorizer } from './authorize.ts'
import { selectorErrors, unreadSelectors } from './review-selectors.ts'

/** Validates a review and writes its status in place. */
export type AccessReview = (object: KubeObject, user: User, authorizer: Authorizer) => Promise<KubeObject>

export const reviewSelfAccess: AccessReview = async (object, user, authorizer) => {
  const spec = fieldsOf(object.spec)
  refuse([...attributeErrors(spec), ...metadataErrors(object, [], 'must be empty')])
  return answer(object, user, authorizer)
}

export const reviewAccess: AccessReview = async (object, _, authorizer) => {
  const spec = fieldsOf(object.spec)
  refuse([...subjectErrors(spec), ...metadataErrors(object, [], 'must be empty')])
  return answer(object, subjectOf(spec), authorizer)
}

/** The review's metadata.namespace is the namespace of the request. */
export const reviewLocalAccess: AccessReview = async (object, _, authorizer) => {
  const spec = fieldsOf(object.spec)
  refuse([
    ...subjectErrors(spec),
    ...metadataErrors(object, ['namespace'], 'must be empty except for namespace'),
    ...placeErrors(spec, object.metadata.namespace ?? ''),
  ])
  return answer(object, subjectOf(spec), authorizer)
}

async function answer(object: KubeObject, user: User, authorizer: Authorizer): Promise<KubeObject> {
  const spec = fieldsOf(object.spec)
  const { allowed, reason } = await authorizer.authorize(user, attributesOf(spec))
  const evaluationError = unreadSelectors(fieldsOf(spec.resourceAttributes))
  object.status = { allowed, ...(reason !== '' && { reason }), ...(evaluationError !== '' && { evaluationError }) }
  return object
}

function attributesOf(spec: Fields): Attributes {
  const { resourceAttributes, nonResourceAttributes } = spec
  if (!isObject(resourceAttributes)) {
    const { path, verb } = fieldsOf(nonResourceAttributes)
    return { path: textOf(path), verb: textOf(verb) }
  }
  const { verb, group, resource, subresource, namespace, name } = resourceAttributes
  return {
    verb: textOf(verb),
    group: textOf(group),
    resource: textOf(resource),
    subresource: textOf(subresource),
    namespace: textOf(namespace),
    name: textOf(name),
  }
}

function subjectOf({ user, uid, groups, extra }: Fields): User {
  const values = Object.entries(fieldsOf(extra)).map(([key, value]) => [key, listOf(value).map(textOf)])
  return {
    username: textOf(user),
    uid: textOf(uid),
    groups: listOf(groups).map(textOf),
    extra: Object.fromEntries(values),
  }
}

function subjectErrors(spec: Fields): Cause[] {
  const nobody = textOf(spec.user) === '' && listOf(spec.groups).length === 0
  const causes = nobody ? [invalidValue('spec.user', '', 'at least one of user or group must be specified')] : []
  return attributeErrors(spec, causes)
}

const RESOURCE = 'spec.resourceAttributes'
const NON_RESOURCE = 'spec.nonResourceAttributes'

/** The cause about the number of attribute fields precedes the causes `between`; those about the fields follow. */
function attributeErrors({ resourceAttributes, nonResourceAttributes }: Fields, between: Cause[] = []): Cause[] {
  const resource = isObject(resourceAttributes)
  const path = isObject(nonResourceAttributes)
  const causes: Cause[] = []
  if (!resource && !path) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    causes.push(invalidValue(RESOURCE, null, detail))
  }
  if (resource && path) {
    const detail = 'cannot be specified in combination with resourceAttributes'
    causes.push(invalidValue(NON_RESOURCE, shown(nonResourceAttributes), detail))
  }
  return [...causes, ...between, ...(resource ? selectorErrors(resourceAttributes, RESOURCE) : [])]
}

function placeErrors({ resourceAttributes, nonResourceAttributes }: Fields, namespace: string): Cause[] {
  const asked = textOf(fieldsOf(resourceAttributes).namespace)
  const elsewhere = isObject(resourceAttributes) && asked !== namespace
  return [
    ...(elsewhere ? [invalidValue(`${RESOURCE}.namespace`, asked, 'must match metadata.namespace')] : []),
    ...(isObject(nonResourceAttributes)
      ? [invalidValue(NON_RESOURCE, shown(nonResourceAttributes), 'disallowed on this kind of request')]
      : []),
  ]
}

/** Kubernetes' message shows the field names of its Go structs. */
function shown({ path, verb }: Fields): Fields {
  return { Path: textOf(path), Verb: textOf(verb) }
}

function metadataErrors({ metadata }: KubeObject, allowed: readonly string[], detail: string): Cause[] {
  const fields = Object.entries(metadata).filter(
    ([key, value]) => value !== null && value !== '' && key !== 'managedFields',
  )
  return fields.every(([key]) => allowed.includes(key)) ? [] : [invalidValue('metadata', metadata, detail)]
}

/** Kubernetes has lost the kind at this point, so its message leaves the kind out. */
function refuse(causes: Cause[]): void {
  if (causes.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', causes)
}
