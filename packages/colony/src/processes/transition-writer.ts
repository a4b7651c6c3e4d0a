// Writes the transitions of Processes, each as one conditional write: a pure function decides on the committed object,
// and a refusal becomes a 409. A Process whose transition throws is set aside.

import type { Api, CachedObject } from '@homeostat/apiserver'
import { messageOf } from '@homeostat/base'
import type { ProcessSpec, ProcessStatus } from '@homeostat/executor/protocol'
import { notTheHolder, PROCESSES } from '../kinds/resources.ts'
import { isRefusal, type Refusal } from '../queue/transitions.ts'
import { isOfTheProcess, type SetAside } from './set-aside.ts'

/** The next status; undefined when there is nothing to write. */
export type Transition = (spec: ProcessSpec, status: ProcessStatus) => ProcessStatus | Refusal | undefined

export interface ProcessName {
  readonly namespace: string
  readonly name: string
  /** A Process of the same name with another uid is left alone. */
  readonly uid?: string
}

export class TransitionWriter {
  readonly #api: Api
  readonly #aside: Pick<SetAside, 'put'>

  constructor(api: Api, aside: Pick<SetAside, 'put'>) {
    this.#api = api
    this.#aside = aside
  }

  /**
   * Returns the written Process; undefined when there is none of that uid. Throws a 409 for a refusal, and for a
   * Process that was set aside. `isItsFault` tells errors of the Process from those of the caller's input and of the
   * store.
   */
  async write(
    process: ProcessName,
    transition: Transition,
    isItsFault: (error: unknown) => boolean = isOfTheProcess,
  ): Promise<CachedObject | undefined> {
    try {
      return await this.#write(process, transition)
    } catch (error) {
      if (isItsFault(error)) throw await this.setAside(process, error)
      throw error
    }
  }

  /** Sets the Process aside and returns the 409 for the caller. */
  async setAside(process: ProcessName, error: unknown): Promise<Error> {
    await this.#aside.put(process, error)
    const why = messageOf(error)
    return notTheHolder(process.name, `the Process cannot be handled and was set aside: ${why}`)
  }

  async #write({ namespace, name, uid }: ProcessName, transition: Transition): Promise<CachedObject | undefined> {
    let isAnother = false
    const written = await this.#api.writeStatus(PROCESSES, { namespace, name }, ({ metadata, spec, status }) => {
      isAnother = uid !== undefined && metadata.uid !== uid
      const next = isAnother ? undefined : transition(spec as ProcessSpec, status as ProcessStatus)
      if (next === undefined) return status
      if (isRefusal(next)) throw notTheHolder(name, next.message)
      return next
    })
    return isAnother ? undefined : written
  }
}
