// Runs that somebody else hands out: `pull/` asks a colony which object runs when, and the runtime follows.

import type { PulledSide } from './controller.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { ObjectRef } from './run.ts'

export interface Pull {
  readonly side: PulledSide
  /** Lets runs happen until `stop` aborts and those under way have ended. Rejects when it cannot begin. */
  work(dispatcher: Dispatcher, stop: AbortSignal): Promise<void>
  /** Asks for a run. Requests with the same token count once, whichever worker sends them. */
  queue(ref: ObjectRef, text: string, token?: string): void
}
