// Webhooks of the operators of a test, in the process of its server: no port, no certificates.

import type { ApiServer } from '@homeostat/apiserver'
import type { WebhookOptions } from '@homeostat/operator'

export function localWebhooks(server: ApiServer): NonNullable<WebhookOptions['here']> {
  return (answer) => {
    const host = `${crypto.randomUUID()}.internal`
    return { url: `https://${host}`, close: server.serveWebhooks(host, answer) }
  }
}
