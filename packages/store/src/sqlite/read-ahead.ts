// Reads the next steps of a range while the main thread processes the last one, so that neither waits for the other. The
// thread that owns the connection calls it when it is idle. It drops a failure: the step is read again when it is
// requested, and the error then reaches the caller.

import type { RangeRequest, ReadAnswer } from './protocol.ts'

interface Held {
  readonly request: RangeRequest
  readonly answer: ReadAnswer
}

/** Bounds the memory of a read-ahead that nobody fetches; what a server fetches stays in its memory anyway. */
const MAX_HELD_BYTES = 32 << 20

export class ReadAhead {
  readonly #read: (request: RangeRequest) => ReadAnswer
  #held: Held[] = []
  #heldBytes = 0
  #next: RangeRequest | undefined

  constructor(read: (request: RangeRequest) => ReadAnswer) {
    this.#read = read
  }

  /** Announces a request. */
  expect(request: RangeRequest): void {
    this.clear()
    this.#next = request
  }

  /** Answers a request from the buffer or by reading now, and expects the steps after it next. */
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

  /** Reads one more step; false when there is none, or no room for it. */
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

  /** Drops the buffer. Called at another request: the buffered steps may never be requested. */
  clear(): void {
    this.#held = []
    this.#heldBytes = 0
    this.#next = undefined
  }
}

/** A step may hold fewer entries than requested, never more. */
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
