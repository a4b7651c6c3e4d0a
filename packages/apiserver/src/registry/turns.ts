// What takes long for a large object is done in steps, each in a turn of the event loop of its own, so that others
// are served in between. A small object passes in one go. All large work of the process shares one line: twenty large
// requests take one step per turn, and not twenty.

/** Above so many bytes an object, or the body that brings it, is large. */
export const LARGE = 64 << 10

/** Gives way between the steps. */
export async function inTurns<T>(steps: Generator<unknown, T, undefined>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await nextTurn()
  }
}

/** Resolves in a turn of the event loop in which nobody else of the line goes on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve)
    if (line.length === 1) setImmediate(advance)
  })
}

/** So long one piece of work goes on before others have their turn. */
const TURN_MS = 10

/** For work in many small steps, of which one turn of the event loop takes as many as there is time for. */
export class Turns {
  #since = performance.now()

  /** Whether this turn has been long. */
  get isOver(): boolean {
    return performance.now() - this.#since >= TURN_MS
  }

  /** Call between two steps: undefined, unless this turn has been long. */
  next(): Promise<void> | undefined {
    if (!this.isOver) return undefined
    return nextTurn().then(() => {
      this.#since = performance.now()
    })
  }
}

/** There is one event loop, and so one line. */
const line: (() => void)[] = []

function advance(): void {
  const go = line.shift()
  if (line.length > 0) setImmediate(advance)
  go?.()
}
