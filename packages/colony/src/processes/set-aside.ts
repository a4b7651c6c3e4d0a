// Sets a Process aside when handling it throws: writes a condition, an Event and a log line, and removes it from the
// queue, so that one bad object does not stop the others. Every part that handles a single Process reports its errors
// here.

import type { Api } from '@homeostat/apiserver'
import { type Clock, type Log, messageOf } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import type { ColonyEvents } from '../events/colony-events.ts'
import { PROCESSES } from '../kinds/resources.ts'
import type { ProcessQueue } from '../queue/process-queue.ts'
import { CANNOT_BE_HANDLED, setAsideStatus } from '../queue/set-aside.ts'
import type { StateListener } from '../state/state-listener.ts'

export interface SetAsideParts {
  readonly api: Api
  readonly queue: ProcessQueue
  readonly events: ColonyEvents
  readonly clock: Clock
  readonly log: Log
}

interface Name {
  readonly namespace: string
  readonly name: string
}

export class SetAside implements StateListener {
  readonly #parts: SetAsideParts

  constructor(parts: SetAsideParts) {
    this.#parts = parts
  }

  processUnreadable(name: Name, error: unknown): void {
    void this.put(name, error)
  }

  /**
   * Resolves when the condition is written. If that fails, the Process stays out of the queue until its next change.
   */
  async put({ namespace, name }: Name, error: unknown): Promise<void> {
    const { api, queue, events, clock, log } = this.#parts
    const why = messageOf(error)
    queue.delete(namespace, name)
    log.error({ err: error, process: name, namespace }, 'a Process cannot be handled; it was set aside')
    let uid: string | undefined
    try {
      await api.writeStatus(PROCESSES, { namespace, name }, (object) => {
        uid = object.metadata.uid
        return setAsideStatus(object, why, clock.now())
      })
    } catch (cause) {
      log.warn({ err: cause, process: name, namespace }, 'the condition SetAside of a Process could not be written')
    }
    events.record(
      { apiVersion: 'colonies.io/v1', kind: 'Process', metadata: { namespace, name, ...(uid && { uid }) } },
      { type: 'Warning', reason: CANNOT_BE_HANDLED, action: 'SetAside', message: `set aside: ${why}` },
    )
  }
}

/** An error that the same object causes every time, unlike an error of the store or the network. */
export function isUnexpected(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
}

/**
 * The same for a write without input of a caller: then the schema's and the store's refusals are caused by the Process,
 * too.
 */
export function isOfTheProcess(error: unknown): boolean {
  return isUnexpected(error) || isStatusError(error, 'Invalid') || isStatusError(error, 'RequestEntityTooLarge')
}
