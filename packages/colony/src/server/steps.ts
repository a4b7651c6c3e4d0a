// The steps of a Process, each one conditional write: decided on the committed object by a pure function, refused when
// the object has moved on.

import type { Api, CachedObject } from '@homeostat/apiserver'
import type { ProcessSpec, ProcessStatus } from '@homeostat/executor/protocol'
import { isRefusal, type Refusal } from '../queue/transitions.ts'
import { notTheHolder, PROCESSES } from './resources.ts'

/** The next status; undefined when there is nothing to do. */
export type Step = (spec: ProcessSpec, status: ProcessStatus) => ProcessStatus | Refusal | undefined

const STATUS = { subresource: 'status' } as const

/** Answers the Process as it is then; undefined when there is none of that uid. Throws a 409 for a refusal. */
export function takeStep(
  api: Api,
  process: { readonly namespace: string; readonly name: string; readonly uid?: string },
  step: Step,
): Promise<CachedObject | undefined> {
  const { namespace, name, uid } = process
  let other = false
  return api
    .write(
      PROCESSES,
      { namespace, name },
      (object) => {
        other = uid !== undefined && object.metadata.uid !== uid
        if (other) return object
        const status = step(object.spec as ProcessSpec, object.status as ProcessStatus)
        if (status === undefined) return object
        if (isRefusal(status)) throw notTheHolder(name, status.message)
        return { ...object, status }
      },
      STATUS,
    )
    .then((written) => (other ? undefined : written))
}
