// Yields to the event loop in the middle of long work. All long work of a process shares one queue: twenty large requests
// that yield take one step per turn of the loop, not twenty.

/** Resolves in a later turn of the event loop, in which no other caller resumes. */
export function yieldToLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) afterInput(advance)
  })
}

/** Runs the steps of a generator, yields to the event loop between them, and resolves to what it returns. */
export async function yieldBetween<T>(steps: Generator<unknown, T, undefined>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await yieldToLoop()
  }
}

/** The same without yielding, for short work. */
export function runToEnd<T>(steps: Generator<unknown, T, undefined>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The one variable of this module: there is one event loop, and so one queue. */
const waiting: (() => void)[] = []

function advance(): void {
  const goOn = waiting.shift()
  if (waiting.length > 0) afterInput(advance)
  goOn?.()
}

/** Calls back after pending I/O events were handled. Browsers have no `setImmediate`. */
function afterInput(callback: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(callback)
  else setTimeout(callback)
}
