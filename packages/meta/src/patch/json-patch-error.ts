// A JSON patch that cannot be carried out. It is a StatusError already, so that it may go to the client as it is.

import { StatusError } from '../status/status-error.ts'

/** `malformed`: not a patch (400). `failed`: a test, a path or an operation does not hold (422). */
export type JsonPatchProblem = 'malformed' | 'failed' | 'too-large'

const CODES = { malformed: 400, failed: 422, 'too-large': 413 } as const
const REASONS = { malformed: 'BadRequest', failed: 'Invalid', 'too-large': 'RequestEntityTooLarge' } as const

export class JsonPatchError extends StatusError {
  readonly problem: JsonPatchProblem

  constructor(problem: JsonPatchProblem, message: string) {
    super({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: REASONS[problem],
      // Kubernetes sends details without content here, and none with the other two.
      ...(problem === 'failed' ? { details: {} } : {}),
      code: CODES[problem],
    })
    this.name = 'JsonPatchError'
    this.problem = problem
  }
}
