// The AdmissionReview that a webhook gets, and what its answer says. Pure.

import { isObject, type JsonValue, type Status, writeJson } from '@homeostat/meta'
import type { Cause } from '@homeostat/meta/server'
import { type Fields, fieldsOf } from '../../builtin/fields-of.ts'
import { userInfo } from '../../identity/user.ts'
import type { DeleteOptions } from '../../registry/delete-options.ts'
import type { ResourceNames } from '../../registry/resource-type.ts'
import type { WriteRequest } from '../../registry/write-request.ts'
import type { ReviewVersion } from './hook.ts'

export interface ReviewedWrite {
  readonly uid: string
  readonly operation: string
  readonly request: WriteRequest
  /** The version in which the webhook sees the object. */
  readonly type: ResourceNames
  /** Empty while the server is to generate it. */
  readonly name: string
  readonly object: object | undefined
  readonly old: object | undefined
  readonly deleteOptions: DeleteOptions | undefined
}

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

export function admissionReview(version: ReviewVersion, write: ReviewedWrite): object {
  const { uid, object, old } = write
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: { uid, ...requestFields(write), object: object ?? null, oldObject: old ?? null },
  }
}

/** What the request is, without its objects: expressions of policies see it, too. */
export function requestFields(write: Omit<ReviewedWrite, 'uid' | 'object' | 'old'>): Record<string, unknown> {
  const { operation, request, type, name } = write
  const { subresource, namespace, dryRun, user } = request
  const ofNamespace = request.type.storage === 'core/namespaces' ? name : (namespace ?? '')
  return {
    kind: request.actionBody ? kindOf(request.actionBody, undefined) : kindOf(type, subresource),
    resource: resourceOf(type),
    ...(subresource !== undefined && { subResource: subresource }),
    requestKind: request.actionBody ? kindOf(request.actionBody, undefined) : kindOf(request.type, subresource),
    requestResource: resourceOf(request.type),
    ...(subresource !== undefined && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(ofNamespace !== '' && { namespace: ofNamespace }),
    operation,
    userInfo: userInfo(user),
    dryRun,
    options: optionsOf(write),
  }
}

function kindOf({ group, version, kind }: ResourceNames, subresource: string | undefined): object {
  return subresource === 'scale' ? SCALE : { group, version, kind }
}

function resourceOf({ group, version, resource }: ResourceNames): object {
  return { group, version, resource }
}

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' }

function optionsOf({
  operation,
  request,
  deleteOptions,
}: Pick<ReviewedWrite, 'operation' | 'request' | 'deleteOptions'>): object {
  const kind = OPTIONS[operation as keyof typeof OPTIONS]
  const head = { kind, apiVersion: 'meta.k8s.io/v1', ...(request.dryRun && { dryRun: ['All'] }) }
  if (operation === 'DELETE') return { ...deleteOptions, ...head }
  return { ...head, fieldManager: request.manager, fieldValidation: request.fieldValidation }
}

/** What a webhook said. */
export interface Verdict {
  readonly allowed: boolean
  /** Why it refuses. */
  readonly status: Partial<Status>
  /** The text of a JSON patch; undefined when it changes nothing. */
  readonly patch: string | undefined
  readonly warnings: readonly string[]
  readonly annotations: Readonly<Record<string, string>>
}

/** Throws an Error that says what is wrong with the answer, in the words of Kubernetes. */
export function readVerdict(
  answer: JsonValue,
  { uid, version, mutating }: { readonly uid: string; readonly version: ReviewVersion; readonly mutating: boolean },
): Verdict {
  if (!isObject(answer)) throw new Error('the answer is not an AdmissionReview')
  const expected = `admission.k8s.io/${version}, Kind=AdmissionReview`
  const got = `${String(answer.apiVersion ?? '')}, Kind=${String(answer.kind ?? '')}`
  if (got !== expected) throw new Error(`expected webhook response of ${expected}, got ${got}`)
  const { response } = answer
  if (!isObject(response)) throw new Error('webhook response was absent')
  const strict = version === 'v1'
  if (strict && response.uid !== uid)
    throw new Error(`expected response.uid=${writeJson(uid)}, got ${writeJson(response.uid ?? '')}`)
  return {
    allowed: response.allowed === true,
    status: statusOf(response.status),
    patch: patchOf(response, mutating, strict),
    warnings: Array.isArray(response.warnings) ? response.warnings.filter((one) => typeof one === 'string') : [],
    annotations: textsOf(response.auditAnnotations),
  }
}

function patchOf(response: { [key: string]: JsonValue }, mutating: boolean, strict: boolean): string | undefined {
  const { patch = null, patchType = null } = response
  const hasPatch = patch !== null && patch !== ''
  if (!mutating) {
    if (strict && hasPatch) throw new Error('validating webhook may not return response.patch')
    if (strict && patchType !== null) throw new Error('validating webhook may not return response.patchType')
    return undefined
  }
  if (strict && hasPatch && patchType === null)
    throw new Error('webhook returned response.patch but not response.patchType')
  if (strict && !hasPatch && patchType !== null)
    throw new Error('webhook returned response.patchType but not response.patch')
  if (!hasPatch) return undefined
  if (patchType !== 'JSONPatch' && (strict || patchType !== null))
    throw new Error(`invalid webhook response.patchType ${writeJson(patchType)}: only JSONPatch is supported`)
  if (typeof patch !== 'string' || !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(patch))
    throw new Error('webhook response.patch is not base64')
  return Buffer.from(patch, 'base64').toString()
}

function statusOf(given: JsonValue | undefined): Partial<Status> {
  const { message, reason, code, details } = fieldsOf(given)
  return {
    ...(typeof message === 'string' && { message }),
    ...(typeof reason === 'string' && { reason }),
    ...(typeof code === 'number' && Number.isInteger(code) && { code }),
    ...(isObject(details as JsonValue) && { details: detailsOf(fieldsOf(details)) }),
  }
}

/** Only what a Status has: clients read it, and the response's headers are made of it. */
function detailsOf({ name, group, kind, uid, causes, retryAfterSeconds }: Fields): NonNullable<Status['details']> {
  const isCause = (one: unknown): one is Cause => isObject(one as JsonValue)
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof group === 'string' && { group }),
    ...(typeof kind === 'string' && { kind }),
    ...(typeof uid === 'string' && { uid }),
    ...(Array.isArray(causes) && { causes: causes.filter(isCause) }),
    ...(Number.isInteger(retryAfterSeconds) && { retryAfterSeconds: Number(retryAfterSeconds) }),
  }
}

function textsOf(given: JsonValue | undefined): Record<string, string> {
  if (!isObject(given)) return {}
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** The status of a refusal, in the words of Kubernetes. */
export function denial(webhook: string, { message, reason, code = 0, details }: Partial<Status>): Status {
  const denied = `admission webhook ${writeJson(webhook)} denied the request`
  const text = message || reason
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: text ? `${denied}: ${text}` : `${denied} without explanation`,
    ...(reason !== undefined && { reason }),
    ...(details !== undefined && { details }),
    code: code < 400 ? 400 : code > 599 ? 500 : code,
  }
}
