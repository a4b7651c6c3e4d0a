// The webhooks that one add-on serves in the server's process: no port, no certificates. Their hosts are the same after every
// start, so that a configuration which a killed server left behind fails clearly until the add-on runs again.

import type { ApiServer } from '@homeostat/apiserver'
import type { LocalWebhook, ServedWebhooks } from '@homeostat/apiserver/add-on'

export class LocalWebhooks {
  readonly #server: Pick<ApiServer, 'serveWebhooks'>
  readonly #addOn: string
  readonly #open: (() => void)[] = []

  /** `addOn` is a part of a host name. */
  constructor(server: Pick<ApiServer, 'serveWebhooks'>, addOn: string) {
    this.#server = server
    this.#addOn = addOn
  }

  /** The first of an add-on is `add-on-NAME-1.internal`, the second 2: an add-on may run several operators. */
  serve(answer: LocalWebhook): ServedWebhooks {
    const host = `${this.#addOn}-${this.#open.length + 1}.internal`
    const close = this.#server.serveWebhooks(host, answer)
    this.#open.push(close)
    return { url: `https://${host}`, close }
  }

  /** Ends those that the program left open. */
  close(): void {
    for (const close of this.#open) close()
  }
}
