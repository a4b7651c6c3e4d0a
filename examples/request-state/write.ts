// The only write of both programs: state and history together, conditional on the resourceVersion that was read.

import { isStatusError } from '@homeostat/meta'
import type { ReconcileContext } from '@homeostat/operator'
import { API_VERSION, KIND, type RequestState } from './request-state.ts'

/** The request after the write; undefined when another client wrote first or deleted it. */
export async function write(run: ReconcileContext, request: RequestState): Promise<RequestState | undefined> {
  try {
    return await run.client.resource(API_VERSION, KIND).update(request, { signal: run.signal })
  } catch (error) {
    if (isStatusError(error, 'Conflict') || isStatusError(error, 'NotFound')) return undefined
    throw error
  }
}
