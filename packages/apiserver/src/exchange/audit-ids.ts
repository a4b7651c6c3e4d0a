// The Audit-Id of each answer, by which a client's report and the server's log are brought together.

import { randomUUID } from 'node:crypto'

/** One for each server: ids are unique among servers too. Counting costs nothing; a random id per request would. */
export class AuditIds {
  readonly #prefix = randomUUID().slice(0, 24)
  #count = 0

  next(): string {
    return this.#prefix + (this.#count++).toString(16).padStart(12, '0')
  }
}
