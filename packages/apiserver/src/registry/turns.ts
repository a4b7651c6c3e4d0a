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

/** There is one event loop, and so one line. */
const line: (() => void)[] = []

function advance(): void {
  const go = line.shift()
  if (line.length > 0) setImmediate(advance)
  go?.()
}
