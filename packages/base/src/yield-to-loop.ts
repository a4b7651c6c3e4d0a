// Lets the event loop serve others in the middle of long work. All long work of a process shares one line: twenty large
// requests that yield take one step per turn of the loop, and not twenty.

/** Resolves in a later turn of the event loop, in which nobody else who yielded goes on. */
export function yieldToLoop(): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve)
    if (line.length === 1) afterInput(advance)
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

/** The one variable of this module: there is one event loop, and so one line. */
const line: (() => void)[] = []

function advance(): void {
  const goOn = line.shift()
  if (line.length > 0) afterInput(advance)
  goOn?.()
}

/** Calls back when what has arrived meanwhile was taken in. Browsers have no `setImmediate`. */
function afterInput(callback: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(callback)
  else setTimeout(callback)
}
