// Why an expression has no value: the one error that leaves an evaluation. It crosses copies of this package, so that it is
// recognised by a brand.

export type CelErrorCode =
  /** The expression failed: no such key, division by zero, a text that is no date. */
  | 'Evaluation'
  /** The cost reached the limit of the call. */
  | 'CostLimitExceeded'

const brand = Symbol.for('homeostat.cel.error')

export class CelError extends Error {
  override readonly name = 'CelError'
  readonly code: CelErrorCode
  readonly [brand] = true

  constructor(message: string, code: CelErrorCode = 'Evaluation') {
    super(message)
    this.code = code
  }
}

export function isCelError(error: unknown): error is CelError {
  return typeof error === 'object' && error !== null && brand in error
}
