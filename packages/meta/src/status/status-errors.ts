// The catalogue of Status errors: one constructor per reason, in Kubernetes' wording and shape. Clients decide by code,
// reason and details, so the constructor sets them, never its caller.

import type { Cause } from './field-causes.ts'
import type { Reason, Status, StatusDetails } from './status.ts'
import { StatusError } from './status-error.ts'

/** The plural of a resource with its group; the group is empty or absent for the core group. */
export interface ResourceRef {
  group?: string
  resource: string
}

export interface KindRef {
  group?: string
  kind: string
}

export function badRequest(message: string): StatusError {
  return refusal(400, 'BadRequest', message)
}

export function unauthorized(message = 'Unauthorized'): StatusError {
  return refusal(401, 'Unauthorized', message)
}

export function forbidden(ref: ResourceRef & { name?: string }, message: string, causes?: Cause[]): StatusError {
  const subject =
    ref.resource === ''
      ? ''
      : `${qualified(ref.resource, ref.group)}${ref.name ? ` ${JSON.stringify(ref.name)}` : ''} is `
  return refusal(403, 'Forbidden', `${subject}forbidden: ${message}`, {
    ...resourceDetails(ref, ref.name),
    ...(causes && causes.length > 0 ? { causes } : {}),
  })
}

export function notFound(ref: ResourceRef, name: string): StatusError {
  return refusal(404, 'NotFound', `${subject(ref, name)} not found`, resourceDetails(ref, name))
}

/** A path that names nothing. */
export function pathNotFound(): StatusError {
  return refusal(404, 'NotFound', 'the server could not find the requested resource', {})
}

/** The path exists, but not for this method. */
export function pathNotAllowed(): StatusError {
  return refusal(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
}

export function methodNotAllowed(ref: ResourceRef, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind "${qualified(ref.resource, ref.group)}"`
  return refusal(405, 'MethodNotAllowed', message, resourceDetails(ref))
}

export function notAcceptable(types: readonly string[]): StatusError {
  return refusal(406, 'NotAcceptable', `only the following media types are accepted: ${types.join(', ')}`)
}

export function unsupportedMediaType(types: readonly string[]): StatusError {
  const message = 'the body of the request was in an unknown format - accepted media types include: '
  return refusal(415, 'UnsupportedMediaType', message + types.join(', '))
}

export function alreadyExists(ref: ResourceRef, name: string): StatusError {
  return refusal(409, 'AlreadyExists', `${subject(ref, name)} already exists`, resourceDetails(ref, name))
}

/** No free name was found for a generateName. */
export function generateNameConflict(ref: ResourceRef, name: string, retryAfterSeconds: number): StatusError {
  const message = `${subject(ref, name)} already exists, the server was not able to generate a unique name for the object`
  return refusal(409, 'AlreadyExists', message, { ...resourceDetails(ref, name), retryAfterSeconds })
}

export function conflict(ref: ResourceRef, name: string, message: string, causes?: Cause[]): StatusError {
  const text = `Operation cannot be fulfilled on ${subject(ref, name)}: ${message}`
  return refusal(409, 'Conflict', text, { ...resourceDetails(ref, name), ...(causes && { causes }) })
}

/** With a token the client can go on from there, at the newest revision. */
export function expired(message: string, continueToken?: string): StatusError {
  const error = refusal(410, 'Expired', message)
  if (continueToken !== undefined) error.status.metadata.continue = continueToken
  return error
}

export function requestEntityTooLarge(limit: number): StatusError {
  return refusal(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`)
}

/** The body is within the limit of bytes, but holds too many values. */
export function holdsTooMuch(message: string): StatusError {
  return refusal(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`)
}

export function invalid(ref: KindRef, name: string, causes: Cause[]): StatusError {
  const message = `${qualified(ref.kind, ref.group)} ${JSON.stringify(name)} is invalid: ${aggregate(causes)}`
  return refusal(422, 'Invalid', message, { ...resourceDetails({ ...ref, resource: ref.kind }, name), causes })
}

/** Bad query parameters or options: `CreateOptions`, `ListOptions`, `DeleteOptions`, ... */
export function invalidOptions(kind: string, causes: Cause[]): StatusError {
  return invalid({ group: 'meta.k8s.io', kind }, '', causes)
}

/** With 0 it says nothing about when to try again. */
export function tooManyRequests(message: string, retryAfterSeconds: number, causes?: Cause[]): StatusError {
  return refusal(429, 'TooManyRequests', message, {
    ...(causes ? { causes } : {}),
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  })
}

export function internalError(message: string, options?: ErrorOptions): StatusError {
  // Kubernetes sends this cause with a message alone.
  const causes = [{ message } as Cause]
  return refusal(500, 'InternalError', `Internal error occurred: ${message}`, { causes }, options)
}

export function serviceUnavailable(message: string): StatusError {
  return refusal(503, 'ServiceUnavailable', message)
}

export function timeout(message: string, retryAfterSeconds?: number, causes?: Cause[]): StatusError {
  return refusal(504, 'Timeout', `Timeout: ${message}`, {
    ...(causes ? { causes } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  })
}

export function tooLargeResourceVersion(asked: number | string, current: number): StatusError {
  const cause = { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' } as Cause
  return timeout(`Too large resource version: ${asked}, current: ${current}`, 1, [cause])
}

/** A failure without a reason, as the server gives for errors that are not Status errors. */
export function failure(code: number, message: string, options?: ErrorOptions): StatusError {
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code }, options)
}

function refusal(
  code: number,
  reason: Reason,
  message: string,
  details?: StatusDetails,
  options?: ErrorOptions,
): StatusError {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }
  if (details) status.details = details
  return new StatusError(status, options)
}

function resourceDetails(ref: ResourceRef, name?: string): StatusDetails {
  return {
    ...(name ? { name } : {}),
    ...(ref.group ? { group: ref.group } : {}),
    ...(ref.resource ? { kind: ref.resource } : {}),
  }
}

function subject(ref: ResourceRef, name: string): string {
  return `${qualified(ref.resource, ref.group)} ${JSON.stringify(name)}`
}

function qualified(name: string, group: string | undefined): string {
  return group ? `${name}.${group}` : name
}

function aggregate(causes: readonly Cause[]): string {
  const messages = new Set(causes.map((cause) => (cause.field ? `${cause.field}: ${cause.message}` : cause.message)))
  return messages.size === 1 ? String([...messages][0]) : `[${[...messages].join(', ')}]`
}
