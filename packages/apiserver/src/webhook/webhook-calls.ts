// What callers of webhooks share: how webhooks are reached, and where their calls are counted. The server makes it.

import type { ServiceAddresses } from './service-addresses.ts'
import type { WebhookClient } from './webhook-client.ts'
import type { WebhookMetrics } from './webhook-metrics.ts'

export interface WebhookCalls {
  readonly client: WebhookClient
  readonly services: ServiceAddresses
  readonly metrics: WebhookMetrics
}
