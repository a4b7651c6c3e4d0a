// The handlers' view of the queue: the Processes of a resource, and a callback when one of them ends.

import type { ProcessesOfResource, ResourceProcesses } from '../handlers/handling.ts'
import type { ProcessQueue } from '../queue/process-queue.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import type { StateListener } from '../state/state-listener.ts'

type EndListener = Parameters<ResourceProcesses['onEnded']>[0]

export class QueuedResourceProcesses implements ResourceProcesses, StateListener {
  readonly #queue: ProcessQueue
  readonly #listeners = new Set<EndListener>()

  constructor(queue: ProcessQueue) {
    this.#queue = queue
  }

  of(namespace: string, concurrencyKey: string): ProcessesOfResource {
    const { waiting, running } = this.#queue.ofKey(namespace, concurrencyKey)
    const [newest, ...surplus] = waiting.toSorted((a, b) => b.order - a.order)
    return { waiting: newest, surplus, running }
  }

  onEnded(listener: EndListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  processChanged(process: QueuedProcess, before: QueuedProcess | undefined): void {
    const { phase } = process
    const hasEnded = phase === 'Ended' ? before?.phase !== 'Ended' : phase === 'Waiting' && before?.phase === 'Running'
    if (hasEnded) this.#notify(process)
  }

  processGone(before: QueuedProcess | undefined): void {
    if (before !== undefined) this.#notify(before)
  }

  #notify({ namespace, concurrencyKey }: QueuedProcess): void {
    if (concurrencyKey !== undefined) for (const listener of this.#listeners) listener(namespace, concurrencyKey)
  }
}
