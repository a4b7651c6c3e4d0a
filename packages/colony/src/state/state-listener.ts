// What a part of the colony may want to know of the committed objects. It is called in the order of the commits, after the
// queue and the table of executors are up to date.

import type { QueuedProcess } from '../queue/queued-process.ts'
import type { ExecutorFacts } from './executor-facts.ts'

export interface StateListener {
  /** `before` is what was known of the Process. */
  processChanged?(process: QueuedProcess, before: QueuedProcess | undefined): void
  processGone?(before: QueuedProcess | undefined, uid: string): void
  /** An object that cannot be read as a Process. */
  processUnreadable?(name: { readonly namespace: string; readonly name: string }, error: unknown): void
  executorChanged?(executor: ExecutorFacts): void
  /** Another program has the name now. */
  executorReplaced?(executor: ExecutorFacts): void
  executorGone?(executor: ExecutorFacts): void
  /** The queue of a namespace was paused, or resumed. */
  queuePaused?(namespace: string): void
}
