// Calls the conversion webhook of a definition, with a bounded batch of objects at a time.

import { randomUUID } from 'node:crypto'
import { messageOf } from '@homeostat/base'
import { internalError, type JsonValue, type KubeObject, readJson, writeJson } from '@homeostat/meta'
import type { DefinitionSpec } from '../../builtin/definition/definition.ts'
import type { ServiceAddresses } from '../../webhook/service-addresses.ts'
import type { WebhookClient } from '../../webhook/webhook-client.ts'
import { type ClientConfig, webhookTarget } from '../../webhook/webhook-target.ts'
import { type ConversionReviewVersion, conversionReview, readConversion } from './conversion-review.ts'

/** How webhooks are reached. */
export interface WebhookCalls {
  readonly client: WebhookClient
  readonly services: ServiceAddresses
}

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
    const target = webhookTarget(this.#config, this.#calls.services, `timeout=${TIMEOUT_S}s`)
    const limits = { timeoutMs: TIMEOUT_S * 1000, maxBytes: MAX_ANSWER }
    const body = writeJson(conversionReview(request) as JsonValue)
    return readConversion(readJson(await this.#calls.client.call(target, body, limits)).value, request)
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
