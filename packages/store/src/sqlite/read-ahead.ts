// Reads the next steps of a range while the main thread takes in the last one, so that neither waits for the other.
// The thread that owns the connection calls it when it has nothing else to do. A failure is forgotten: the step is read
// again when it is asked for, and then the one who asks hears of it.

import type { RangeRequest, ReadAnswer } from './protocol.ts'

interface Held {
  readonly request: RangeRequest
  readonly answer: ReadAnswer
}

/** What a server reads at its start stays in its memory anyway; this is for whoever never asks for it. */
const MAX_HELD_BYTES = 32 << 20

export class ReadAhead {
  readonly #read: (request: RangeRequest) => ReadAnswer
  #held: Held[] = []
  #heldBytes = 0
  #next: RangeRequest | undefined

  constructor(read: (request: RangeRequest) => ReadAnswer) {
    this.#read = read
  }

  /** Says that this will be asked for. */
  expect(request: RangeRequest): void {
    this.clear()
    this.#next = request
  }

  /** What was asked for, from what is held or read now; the steps after it are expected then. */
  answer(request: RangeRequest): ReadAnswer {
    const [first] = this.#held
    if (first !== undefined && answers(first, request)) {
      this.#held.shift()
      this.#heldBytes -= first.answer.page.byteLength
      return first.answer
    }
    this.clear()
    const answer = this.#read(request)
    this.#next = following(request, answer)
    return answer
  }

  /** Reads one step more; false when there is none to read, or no room for it. */
  step(): boolean {
    const request = this.#next
    if (request === undefined || this.#heldBytes >= MAX_HELD_BYTES) return false
    this.#next = undefined
    try {
      const answer = this.#read(request)
      this.#held.push({ request, answer })
      this.#heldBytes += answer.page.byteLength
      this.#next = following(request, answer)
    } catch {
      return false
    }
    return true
  }

  /** Called when something else is asked for: what is held may never be. */
  clear(): void {
    this.#held = []
    this.#heldBytes = 0
    this.#next = undefined
  }
}

/** A step may hold less than was asked for, and never more. */
function answers({ request, answer }: Held, asked: RangeRequest): boolean {
  return (
    asked.prefix === request.prefix &&
    asked.after === request.after &&
    asked.revision === request.revision &&
    asked.filled === request.filled &&
    (answer.count ?? 0) <= asked.limit
  )
}

function following(request: RangeRequest, answer: ReadAnswer): RangeRequest | undefined {
  const limit = request.limit - (answer.count ?? 0)
  if (answer.done || answer.compacted !== undefined || limit <= 0) return undefined
  return { ...request, after: answer.lastKey, limit }
}
