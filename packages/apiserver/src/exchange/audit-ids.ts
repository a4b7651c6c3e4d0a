// Makes the Audit-Id of each response, by which a client's report is matched with the server's log.

import { randomUUID } from 'node:crypto'

/** A random prefix per server and a counter: unique across servers, and cheaper than a random id per request. */
export class AuditIds {
  readonly #prefix = randomUUID().slice(0, 24)
  #count = 0

  next(): string {
    return this.#prefix + (this.#count++).toString(16).padStart(12, '0')
  }
}
