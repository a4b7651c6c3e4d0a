// Asks one webhook about one write, and decides by its failure policy what a failure means. The steps call it.

import { randomUUID } from 'node:crypto'
import { type Log, messageOf } from '@homeostat/base'
import { badRequest, internalError, type JsonValue, readJson, StatusError, writeJson } from '@homeostat/meta'
import type { AdmittedWrite } from '../../registry/admission-step.ts'
import type { ServiceAddresses } from '../../webhook/service-addresses.ts'
import type { WebhookCalls } from '../../webhook/webhook-calls.ts'
import type { WebhookClient } from '../../webhook/webhook-client.ts'
import type { AdmissionCallEnd, WebhookMetrics } from '../../webhook/webhook-metrics.ts'
import { webhookTarget } from '../../webhook/webhook-target.ts'
import { admissionReview, denial, type ReviewedWrite, readVerdict, type Verdict } from './admission-review.ts'
import type { Hook } from './hook.ts'

/** What is read of an answer: the patch of a whole object, in base64, and some more. */
const MAX_ANSWER = 8 << 20

/** Of the write, as the webhook sees it. */
export type Question = Omit<ReviewedWrite, 'uid'>

export class HookCaller {
  readonly #client: WebhookClient
  readonly #services: ServiceAddresses
  readonly #metrics: WebhookMetrics
  readonly #log: Log

  constructor({ client, services, metrics }: WebhookCalls, log: Log) {
    this.#client = client
    this.#services = services
    this.#metrics = metrics
    this.#log = log
  }

  /** Throws a StatusError when the write is refused. Undefined when the webhook failed and its failures let writes pass. */
  async ask(hook: Hook, question: Question, write: AdmittedWrite, mutating: boolean): Promise<Verdict | undefined> {
    if (write.request.dryRun && !hook.allowsDryRun)
      throw badRequest(`admission webhook ${writeJson(hook.name)} does not support dry run`)
    const count = this.#startCount(hook, question, mutating)
    const verdict = await this.#call(hook, question, mutating).catch((cause: unknown) => {
      count({ code: 0, failed: true, rejected: !hook.ignoresFailures })
      const message = `failed calling webhook ${writeJson(hook.name)}: ${messageOf(cause)}`
      if (!hook.ignoresFailures) throw internalError(message, { cause })
      const { name: webhook, configuration } = hook
      this.#log.warn({ webhook, configuration, reason: messageOf(cause) }, 'a webhook failed and was passed over')
      return undefined
    })
    if (verdict === undefined) return undefined
    const refusal = verdict.allowed ? undefined : denial(hook.name, verdict.status)
    count({ code: refusal?.code ?? 200, failed: false, rejected: refusal !== undefined })
    for (const text of verdict.warnings) write.request.warn(text)
    for (const [key, value] of Object.entries(verdict.annotations)) write.annotate(`${hook.name}/${key}`, value)
    if (refusal !== undefined) throw new StatusError(refusal)
    return verdict
  }

  /** The returned function counts the call, when it has ended. */
  #startCount({ name }: Hook, { operation }: Question, mutating: boolean) {
    const started = performance.now()
    return (end: Pick<AdmissionCallEnd, 'code' | 'failed' | 'rejected'>) => {
      const seconds = (performance.now() - started) / 1000
      this.#metrics.admission({ name, type: mutating ? 'admit' : 'validating', operation, seconds, ...end })
    }
  }

  async #call(hook: Hook, question: Question, mutating: boolean): Promise<Verdict> {
    const { reviewVersion: version } = hook
    if (version === undefined)
      throw new Error('it accepts no version of AdmissionReview that this server sends (v1, v1beta1)')
    const uid = randomUUID()
    const body = writeJson(admissionReview(version, { ...question, uid }) as JsonValue)
    const answer = await this.#post(hook, body).catch((cause: unknown) => {
      throw new Error(`failed to call webhook: ${messageOf(cause)}`, { cause })
    })
    try {
      return readVerdict(readJson(answer).value, { uid, version, mutating })
    } catch (cause) {
      throw new Error(`received invalid webhook response: ${messageOf(cause)}`, { cause })
    }
  }

  async #post({ client, timeoutSeconds }: Hook, body: string): Promise<string> {
    const target = webhookTarget(client, this.#services, `timeout=${timeoutSeconds}s`)
    return this.#client.call(target, body, { timeoutMs: timeoutSeconds * 1000, maxBytes: MAX_ANSWER })
  }
}
