// Counts calls of admission and conversion webhooks and their durations, with the names of Kubernetes. What calls webhooks calls it.
// Label values are names of webhooks, which only administrators choose, and fixed words.

import { Histogram, type Metric, Numbers } from '@homeostat/base'

/** Kubernetes' words for the two kinds of admission webhooks. */
export type WebhookType = 'admit' | 'validating'

export interface AdmissionCallEnd {
  readonly name: string
  readonly type: WebhookType
  readonly operation: string
  readonly seconds: number
  /** The HTTP status of a refusal, else 200; 0 when it failed without one. */
  readonly code: number
  /** Whether the write was refused, by the webhook or since it failed. */
  readonly rejected: boolean
  /** Whether the call failed, other than by a refusal. */
  readonly failed: boolean
}

export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure'
  | 'conversion_webhook_no_objects_returned_failure'

/** Seconds: admission webhooks have at most 30, conversions too. */
const ADMISSION_BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25]
const CONVERSION_BOUNDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60]
/** Larger codes are one, so that a webhook cannot make a series for each number. */
const MAX_CODE = 600
/** Of histograms, which have a line for each bound. */
const MAX_HISTOGRAMS = 1_000

export class WebhookMetrics {
  readonly #calls = new Numbers('counter', {
    name: 'apiserver_admission_webhook_request_total',
    help: 'Calls of admission webhooks, by webhook, type (admit or validating), operation, HTTP status and whether the write was rejected.',
    labels: ['name', 'type', 'operation', 'code', 'rejected'],
  })
  readonly #seconds = new Histogram({
    name: 'apiserver_admission_webhook_admission_duration_seconds',
    help: 'Time that a call of an admission webhook took.',
    labels: ['name', 'type', 'operation', 'rejected'],
    bounds: ADMISSION_BOUNDS,
    maxChildren: MAX_HISTOGRAMS,
  })
  readonly #rejections = new Numbers('counter', {
    name: 'apiserver_admission_webhook_rejection_count',
    help: 'Writes that an admission webhook refused (no_error), or that were refused since it failed (calling_webhook_error).',
    labels: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
  })
  readonly #passed = new Numbers('counter', {
    name: 'apiserver_admission_webhook_fail_open_count',
    help: 'Failures of admission webhooks that let the write pass.',
    labels: ['name', 'type'],
  })
  readonly #conversions = new Numbers('counter', {
    name: 'apiserver_conversion_webhook_request_total',
    help: 'Calls of conversion webhooks, by result (success or failure) and kind of failure.',
    labels: ['result', 'failure_type'],
  })
  readonly #conversionSeconds = new Histogram({
    name: 'apiserver_conversion_webhook_duration_seconds',
    help: 'Time that a call of a conversion webhook took.',
    labels: ['result', 'failure_type'],
    bounds: CONVERSION_BOUNDS,
  })
  readonly metrics: readonly Metric[] = [
    this.#calls,
    this.#seconds,
    this.#rejections,
    this.#passed,
    this.#conversions,
    this.#conversionSeconds,
  ]

  admission({ name, type, operation, seconds, code, rejected, failed }: AdmissionCallEnd): void {
    const shown = String(Math.min(Math.max(code, 0), MAX_CODE))
    this.#calls.child(name, type, operation, shown, String(rejected)).add()
    this.#seconds.child(name, type, operation, String(rejected)).observe(seconds)
    if (failed && !rejected) this.#passed.child(name, type).add()
    if (!rejected) return
    const error = failed ? 'calling_webhook_error' : 'no_error'
    this.#rejections.child(name, type, operation, error, failed ? '0' : shown).add()
  }

  conversion(seconds: number, failure: ConversionFailure | ''): void {
    const labels = [failure === '' ? 'success' : 'failure', failure]
    this.#conversions.child(...labels).add()
    this.#conversionSeconds.child(...labels).observe(seconds)
  }
}
