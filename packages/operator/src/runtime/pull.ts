// The source of reconciles that a colony assigns: `pull/` implements it, and the runtime follows its schedule.

import type { PulledSide } from './controller.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { ObjectRef } from './reconcile-context.ts'

export interface Pull {
  readonly side: PulledSide
  /** Reconciles until `stop` aborts and active reconciles have ended. Rejects when it cannot start. */
  work(dispatcher: Dispatcher, stop: AbortSignal): Promise<void>
  /** Requests a reconcile. Requests with the same token count once, whichever worker sends them. */
  queue(ref: ObjectRef, text: string, token?: string): void
}
