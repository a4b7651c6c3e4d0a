// The ConversionReview that a webhook gets, and the objects of its answer, checked against those that were sent. Pure.

import { isObject, type JsonValue, type KubeObject, labelValue, qualifiedName } from '@homeostat/meta'
import { fieldsOf, listOf, textOf } from '../../builtin/fields-of.ts'
import type { ConversionFailure } from '../../webhook/webhook-metrics.ts'

export type ConversionReviewVersion = 'v1' | 'v1beta1'

export interface ConversionRequest {
  readonly version: ConversionReviewVersion
  readonly uid: string
  /** `group/version`. */
  readonly desired: string
  readonly objects: readonly KubeObject[]
}

export function conversionReview({ version, uid, desired, objects }: ConversionRequest): object {
  return {
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion: desired, objects },
  }
}

/** The answer cannot be used. */
export class ConversionAnswerError extends Error {
  readonly failure: ConversionFailure

  constructor(failure: ConversionFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

/** The converted objects, with the metadata of those that were sent. Throws an Error that says what is wrong. */
export function readConversion(answer: JsonValue, request: ConversionRequest): KubeObject[] {
  const { version, uid, objects } = request
  const expected = `apiextensions.k8s.io/${version}, Kind=ConversionReview`
  const review = fieldsOf(answer)
  const got = `${textOf(review.apiVersion)}, Kind=${textOf(review.kind)}`
  if (got !== expected) throw new Error(`expected webhook response of ${expected}, got ${got}`)
  if (!isObject(review.response as JsonValue)) throw new Error('no response provided')
  const response = fieldsOf(review.response)
  if (response.uid !== uid) throw new Error(`expected response.uid="${uid}", got "${textOf(response.uid)}"`)
  const { status, message } = fieldsOf(response.result)
  if (status !== 'Success') {
    const text = textOf(message) || `response.result.status was '${textOf(status)}', not 'Success'`
    throw new ConversionAnswerError('conversion_webhook_call_failure', text)
  }
  const converted = listOf(response.convertedObjects)
  if (converted.length !== objects.length) {
    const failure =
      `conversion_webhook_${converted.length === 0 ? 'no_objects_returned' : 'partial_response'}_failure` as const
    throw new ConversionAnswerError(failure, `expected ${objects.length} converted objects, got ${converted.length}`)
  }
  return converted.map((one, index) => checked(one, objects[index] as KubeObject, request.desired, index))
}

function checked(given: unknown, sent: KubeObject, desired: string, index: number): KubeObject {
  const failure = 'conversion_webhook_invalid_converted_object_failure'
  const fail = (problem: string) =>
    new ConversionAnswerError(failure, `invalid converted object at index ${index}: ${problem}`)
  if (!isObject(given as JsonValue)) throw fail('it is not an object')
  const object = given as KubeObject
  if (object.apiVersion !== desired)
    throw fail(`invalid groupVersion (expected ${desired}, received ${object.apiVersion})`)
  if (object.kind !== sent.kind) throw fail(`invalid kind (expected ${sent.kind}, received ${object.kind})`)
  if (!isObject(object.metadata as JsonValue)) throw fail('metadata is not an object')
  for (const field of ['name', 'namespace', 'uid'] as const) {
    const [is, was] = [object.metadata[field] ?? '', sent.metadata[field] ?? '']
    if (is !== was) throw fail(`must have the same ${field}: ${was} != ${is}`)
  }
  const { labels, annotations } = object.metadata
  const problem = textsProblem(labels, 'labels', labelValue) ?? textsProblem(annotations, 'annotations', () => [])
  if (problem !== undefined) throw fail(problem)
  // A webhook may convert labels and annotations, and nothing else of the metadata.
  const { labels: _labels, annotations: _annotations, ...metadata } = sent.metadata
  object.metadata = { ...metadata, ...(labels && { labels }), ...(annotations && { annotations }) }
  return object
}

function textsProblem(given: unknown, field: string, errors: (value: string) => string[]): string | undefined {
  if (given === undefined || given === null) return undefined
  if (!isObject(given as JsonValue)) return `metadata.${field} is not an object`
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== 'string') return `metadata.${field}.${key} is not a string`
    const [problem] = [
      ...(field === 'labels' ? qualifiedName(key) : qualifiedName(key.toLowerCase())),
      ...errors(value),
    ]
    if (problem !== undefined) return `metadata.${field}: ${key}: ${problem}`
  }
  return undefined
}
