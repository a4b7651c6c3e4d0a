// The steps of a Process, each one conditional write: decided on the committed object by a pure function, refused when
// the object has moved on.

import type { Api, CachedObject } from '@homeostat/apiserver'
import type { ProcessSpec, ProcessStatus } from '@homeostat/executor/protocol'
import { isRefusal, type Refusal } from '../queue/transitions.ts'
import { notTheHolder, PROCESSES } from './resources.ts'

/** The next status; undefined when there is nothing to do. */
export type Step = (spec: ProcessSpec, status: ProcessStatus) => ProcessStatus | Refusal | undefined

/** Answers the Process as it is then; undefined when there is none of that uid. Throws a 409 for a refusal. */
export async function takeStep(
  api: Api,
  process: { readonly namespace: string; readonly name: string; readonly uid?: string },
  step: Step,
): Promise<CachedObject | undefined> {
  const { namespace, name, uid } = process
  let other = false
  const written = await api.writeStatus(PROCESSES, { namespace, name }, ({ metadata, spec, status }) => {
    other = uid !== undefined && metadata.uid !== uid
    const next = other ? undefined : step(spec as ProcessSpec, status as ProcessStatus)
    if (next === undefined) return status
    if (isRefusal(next)) throw notTheHolder(name, next.message)
    return next
  })
  return other ? undefined : written
}
