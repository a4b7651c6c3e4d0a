// The callbacks for changes of committed objects. They run in commit order, after the queue and the table of executors
// are updated.

import type { QueuedProcess } from '../queue/queued-process.ts'
import type { ExecutorFacts } from './executor-facts.ts'

export interface StateListener {
  /** `before` is the previous state. */
  processChanged?(process: QueuedProcess, before: QueuedProcess | undefined): void
  /** `before` is what the queue knew; `last` is also there for one of a graph or schedule that had left the queue. */
  processGone?(before: QueuedProcess | undefined, uid: string, last: QueuedProcess | undefined): void
  /** Called for an object that cannot be parsed as a Process. */
  processUnreadable?(name: { readonly namespace: string; readonly name: string }, error: unknown): void
  executorChanged?(executor: ExecutorFacts): void
  /** Called when another program registers under the name. */
  executorReplaced?(executor: ExecutorFacts): void
  executorGone?(executor: ExecutorFacts): void
  /** Called when the queue of a namespace is paused or resumed. */
  queuePaused?(namespace: string): void
}
