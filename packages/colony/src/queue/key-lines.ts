// Who of a concurrency key may run next: while one runs or is reserved nobody, else the first in the key's line. A part
// of the process queue.

import { type Entry, goesBefore, type KeyLine, STANDING, standing } from './entry.ts'
import { BY_STANDING } from './entry-orders.ts'
import { Heap } from './heap.ts'
import type { Lanes } from './lanes.ts'
import type { QueuedProcess } from './queued-process.ts'

export class KeyLines {
  readonly #lanes: Lanes
  readonly #lines = new Map<string, KeyLine>()

  constructor(lanes: Lanes) {
    this.#lanes = lanes
  }

  get size(): number {
    return this.#lines.size
  }

  /** Nothing is offered before `settle`. */
  enter(entry: Entry): void {
    const { namespace, concurrencyKey } = entry.process
    if (concurrencyKey === undefined) return
    const id = lineId(namespace, concurrencyKey)
    const line = this.#lines.get(id) ?? { id, members: new Heap(BY_STANDING), front: undefined }
    this.#lines.set(id, line)
    entry.line = line
    line.members.add(entry)
  }

  /** Answers the line it left, which is to be settled. */
  leave(entry: Entry): KeyLine | undefined {
    const line = entry.line
    if (!line) return undefined
    line.members.remove(entry)
    if (line.front === entry) line.front = undefined
    entry.line = undefined
    return line
  }

  /** Brings the offer in line with who stands first. */
  settle(line: KeyLine | undefined): void {
    if (!line) return
    const first = line.members.peek()
    const front = first && standing(first) === STANDING.ready ? first : undefined
    if (line.members.size === 0) this.#lines.delete(line.id)
    if (line.front === front) return
    if (line.front) this.#lanes.withhold(line.front)
    line.front = front
    if (front) this.#lanes.offer(front)
  }

  /** In the order of their turns. */
  of(namespace: string, key: string): { waiting: readonly QueuedProcess[]; running: QueuedProcess | undefined } {
    const members = this.#lines.get(lineId(namespace, key))?.members.items.map(({ process }) => process) ?? []
    return {
      waiting: members
        .filter(({ phase }) => phase === 'Waiting')
        .sort((a, b) => (goesBefore(a, b) ? -1 : goesBefore(b, a) ? 1 : 0)),
      running: members.find(({ phase }) => phase === 'Running'),
    }
  }
}

function lineId(namespace: string, key: string): string {
  return `${namespace}/${key}`
}
