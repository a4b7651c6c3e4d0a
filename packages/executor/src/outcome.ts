// Builds the outcome of an attempt when its function has ended.

import { messageOf } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import { isPermanentError } from './process-context.ts'
import type { Attempt, ProcessOutcome } from './protocol.ts'

/** What the function reported while it ran. */
export interface Reported {
  readonly status?: Readonly<Record<string, unknown>> | undefined
  readonly children?: readonly ApiObject[] | undefined
  readonly requeueAfter?: number | undefined
}

export type ValueOrError = { readonly value: unknown } | { readonly error: unknown }

/** The server's limit for the output of one Process. */
export const MAX_OUTPUT_BYTES = 256 * 1024

export function outcomeOf(
  attempt: Attempt,
  end: ValueOrError,
  reported: Reported,
  isCancelled: boolean,
): ProcessOutcome {
  const status = reported.status !== undefined && { status: reported.status }
  if (isCancelled) return { ...attempt, result: 'Cancelled', ...status }
  if ('error' in end) {
    const retryable = !isPermanentError(end.error)
    return { ...attempt, result: 'Failed', retryable, errors: [messageOf(end.error)], ...status }
  }
  const problem = outputProblem(end.value)
  if (problem !== undefined) return { ...attempt, result: 'Failed', retryable: false, errors: [problem], ...status }
  return {
    ...attempt,
    result: 'Succeeded',
    ...(end.value !== undefined && { output: end.value }),
    ...status,
    ...(reported.children !== undefined && { children: reported.children }),
    ...(reported.requeueAfter !== undefined && { requeueAfter: reported.requeueAfter }),
  }
}

function outputProblem(output: unknown): string | undefined {
  try {
    const text = writeJson(output)
    // A UTF-16 unit takes at most three bytes, so that a short text need not be encoded.
    if (text.length * 3 <= MAX_OUTPUT_BYTES) return undefined
    const bytes = text.length > MAX_OUTPUT_BYTES ? text.length : new TextEncoder().encode(text).byteLength
    if (bytes <= MAX_OUTPUT_BYTES) return undefined
    return `the output has ${bytes} bytes as JSON, and a process keeps ${MAX_OUTPUT_BYTES}: put it elsewhere and return where it is`
  } catch (error) {
    return `the output cannot be written as JSON: ${messageOf(error)}`
  }
}
