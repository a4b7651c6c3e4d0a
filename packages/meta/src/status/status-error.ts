// The one error that crosses the wire. It is made by the constructors in status-errors.ts and nowhere else, and
// recognised by a brand, so that two copies of this package in one process understand each other.

import type { Reason, Status } from './status.ts'

const BRAND = Symbol.for('homeostat.status-error')

export class StatusError extends Error {
  readonly status: Status
  readonly [BRAND] = true

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? '', options)
    this.name = 'StatusError'
    this.status = status
  }

  get code(): number {
    return this.status.code ?? 500
  }

  /** Empty for a failure that has none. */
  get reason(): string {
    return this.status.reason ?? ''
  }
}

export function isStatusError(error: unknown, reason?: Reason): error is StatusError {
  if (typeof error !== 'object' || error === null || !(BRAND in error)) return false
  return reason === undefined || (error as StatusError).status.reason === reason
}
