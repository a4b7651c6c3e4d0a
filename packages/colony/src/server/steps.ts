// The steps of a Process, each one conditional write: decided on the committed object by a pure function, refused when
// the object has moved on. A Process whose step throws is set aside.

import type { Api, CachedObject } from '@homeostat/apiserver'
import { messageOf } from '@homeostat/base'
import type { ProcessSpec, ProcessStatus } from '@homeostat/executor/protocol'
import { isRefusal, type Refusal } from '../queue/transitions.ts'
import { notTheHolder, PROCESSES } from './resources.ts'
import { isOfTheProcess, type SetAside } from './set-aside.ts'

/** The next status; undefined when there is nothing to do. */
export type Step = (spec: ProcessSpec, status: ProcessStatus) => ProcessStatus | Refusal | undefined

export interface StepTarget {
  readonly namespace: string
  readonly name: string
  readonly uid?: string
}

export class Steps {
  readonly #api: Api
  readonly #aside: Pick<SetAside, 'put'>

  constructor(api: Api, aside: Pick<SetAside, 'put'>) {
    this.#api = api
    this.#aside = aside
  }

  /**
   * Answers the Process as it is then; undefined when there is none of that uid. Throws a 409 for a refusal, and for one
   * that was set aside. `isItsFault` tells errors of the Process from those of what the caller brought, and of the store.
   */
  async take(
    process: StepTarget,
    step: Step,
    isItsFault: (error: unknown) => boolean = isOfTheProcess,
  ): Promise<CachedObject | undefined> {
    try {
      return await this.#write(process, step)
    } catch (error) {
      if (isItsFault(error)) throw await this.setAside(process, error)
      throw error
    }
  }

  /** Answers the 409 for whoever wanted something of it. */
  async setAside(process: StepTarget, error: unknown): Promise<Error> {
    await this.#aside.put(process, error)
    const why = messageOf(error)
    return notTheHolder(process.name, `the Process cannot be handled and was set aside: ${why}`)
  }

  async #write({ namespace, name, uid }: StepTarget, step: Step): Promise<CachedObject | undefined> {
    let other = false
    const written = await this.#api.writeStatus(PROCESSES, { namespace, name }, ({ metadata, spec, status }) => {
      other = uid !== undefined && metadata.uid !== uid
      const next = other ? undefined : step(spec as ProcessSpec, status as ProcessStatus)
      if (next === undefined) return status
      if (isRefusal(next)) throw notTheHolder(name, next.message)
      return next
    })
    return other ? undefined : written
  }
}
