// What takes long for a large object is done in steps, each in a turn of the event loop of its own, so that others
// are served in between. A small object passes in one go.

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

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
