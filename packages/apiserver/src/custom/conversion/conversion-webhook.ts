// Calls the conversion webhook of a definition, with a bounded batch of objects at a time.

import { randomUUID } from 'node:crypto'
import { messageOf } from '@homeostat/base'
import { internalError, type JsonValue, type KubeObject, readJson, writeJson } from '@homeostat/meta'
import type { DefinitionSpec } from '../../builtin/definition/definition.ts'
import type { WebhookCalls } from '../../webhook/webhook-calls.ts'
import type { ConversionFailure } from '../../webhook/webhook-metrics.ts'
import { type ClientConfig, webhookTarget } from '../../webhook/webhook-target.ts'
import {
  ConversionAnswerError,
  type ConversionRequest,
  type ConversionReviewVersion,
  conversionReview,
  readConversion,
} from './conversion-review.ts'

const BATCH_OBJECTS = 500
const BATCH_BYTES = 2 << 20
/** What is read of an answer: objects may grow when they are converted. */
const MAX_ANSWER = 32 << 20
const TIMEOUT_S = 30

export class ConversionWebhook {
  readonly #calls: WebhookCalls
  readonly #config: ClientConfig
  readonly #version: ConversionReviewVersion | undefined

  constructor({ conversion }: DefinitionSpec, calls: WebhookCalls) {
    this.#calls = calls
    this.#config = (conversion?.webhook?.clientConfig ?? {}) as ClientConfig
    this.#version = (conversion?.webhook?.conversionReviewVersions ?? []).find(
      (one): one is ConversionReviewVersion => one === 'v1' || one === 'v1beta1',
    )
  }

  /** In order. All objects are of one kind. Rejects with a StatusError. */
  async convert(objects: readonly KubeObject[], desired: string): Promise<KubeObject[]> {
    const [first] = objects
    if (first === undefined) return []
    try {
      const converted: KubeObject[] = []
      for (const batch of batches(objects)) converted.push(...(await this.#ask(batch, desired)))
      return converted
    } catch (cause) {
      const what = `${first.apiVersion}, Kind=${first.kind}`
      throw internalError(`conversion webhook for ${what} failed: ${messageOf(cause)}`, { cause })
    }
  }

  async #ask(objects: readonly KubeObject[], desired: string): Promise<KubeObject[]> {
    const version = this.#version
    if (version === undefined) throw new Error('it accepts no version of ConversionReview that this server sends')
    const request = { version, uid: randomUUID(), desired, objects }
    const { metrics } = this.#calls
    const started = performance.now()
    const count = (failure: ConversionFailure | '') => metrics.conversion((performance.now() - started) / 1000, failure)
    const answer = await this.#post(request).catch((error: unknown) => {
      count('conversion_webhook_call_failure')
      throw error
    })
    try {
      const converted = readConversion(readJson(answer).value, request)
      count('')
      return converted
    } catch (error) {
      count(error instanceof ConversionAnswerError ? error.failure : 'conversion_webhook_malformed_response_failure')
      throw error
    }
  }

  async #post(request: ConversionRequest): Promise<string> {
    const target = webhookTarget(this.#config, this.#calls.services, `timeout=${TIMEOUT_S}s`)
    const limits = { timeoutMs: TIMEOUT_S * 1000, maxBytes: MAX_ANSWER }
    const body = writeJson(conversionReview(request) as JsonValue)
    return this.#calls.client.call(target, body, limits)
  }
}

function* batches(objects: readonly KubeObject[]): Generator<KubeObject[]> {
  let batch: KubeObject[] = []
  let size = 0
  for (const object of objects) {
    const length = writeJson(object as unknown as JsonValue).length
    if (batch.length === BATCH_OBJECTS || (batch.length > 0 && size + length > BATCH_BYTES)) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(object)
    size += length
  }
  if (batch.length > 0) yield batch
}
