// Which Process of a concurrency key may run next: none while one runs or is reserved, else the first in the key's queue.
// A part of the process queue.

import { type Entry, goesBefore, type KeyQueue, STANDING, standing } from './entry.ts'
import { BY_STANDING } from './entry-orders.ts'
import { Heap } from './heap.ts'
import type { QueuedProcess } from './queued-process.ts'
import type { TypeQueues } from './type-queues.ts'

export class KeyQueues {
  readonly #typeQueues: TypeQueues
  readonly #keyQueues = new Map<string, KeyQueue>()

  constructor(typeQueues: TypeQueues) {
    this.#typeQueues = typeQueues
  }

  get size(): number {
    return this.#keyQueues.size
  }

  /** Adds the entry. It is not offered before `settle`. */
  enter(entry: Entry): void {
    const { namespace, concurrencyKey } = entry.process
    if (concurrencyKey === undefined) return
    const id = keyQueueId(namespace, concurrencyKey)
    const keyQueue = this.#keyQueues.get(id) ?? { id, members: new Heap(BY_STANDING), front: undefined }
    this.#keyQueues.set(id, keyQueue)
    entry.keyQueue = keyQueue
    keyQueue.members.add(entry)
  }

  /** Removes the entry. Returns the queue it left; the caller must settle it. */
  leave(entry: Entry): KeyQueue | undefined {
    const keyQueue = entry.keyQueue
    if (!keyQueue) return undefined
    keyQueue.members.remove(entry)
    if (keyQueue.front === entry) keyQueue.front = undefined
    entry.keyQueue = undefined
    return keyQueue
  }

  /** Offers the first of the queue, if it is ready. */
  settle(keyQueue: KeyQueue | undefined): void {
    if (!keyQueue) return
    const first = keyQueue.members.peek()
    const front = first && standing(first) === STANDING.ready ? first : undefined
    if (keyQueue.members.size === 0) this.#keyQueues.delete(keyQueue.id)
    if (keyQueue.front === front) return
    if (keyQueue.front) this.#typeQueues.withhold(keyQueue.front)
    keyQueue.front = front
    if (front) this.#typeQueues.offer(front)
  }

  /** The Processes of a key, in the order in which they are assigned. */
  of(namespace: string, key: string): { waiting: readonly QueuedProcess[]; running: QueuedProcess | undefined } {
    const members = this.#keyQueues.get(keyQueueId(namespace, key))?.members.items.map(({ process }) => process) ?? []
    return {
      waiting: members
        .filter(({ phase }) => phase === 'Waiting')
        .sort((a, b) => (goesBefore(a, b) ? -1 : goesBefore(b, a) ? 1 : 0)),
      running: members.find(({ phase }) => phase === 'Running'),
    }
  }
}

function keyQueueId(namespace: string, key: string): string {
  return `${namespace}/${key}`
}
