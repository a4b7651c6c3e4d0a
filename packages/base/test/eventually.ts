// Waits for a thing instead of an amount of time. Tests of all packages call it, and write no such loop of their own.

/** As in vitest.sources.ts: it ends a test that hangs, and judges nothing. */
const PATIENCE_MS = 120_000

/** Looks until there is something to see, and answers it. */
export async function eventually<T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  for (let tries = 0; ; tries++) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error(`waited in vain for ${look}`)
    await beforeLook(tries)
  }
}

/** Repeats a check until it does not throw, and answers what it answers. */
export async function until<T>(check: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  for (let tries = 0; ; tries++) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > end) throw error
    }
    await beforeLook(tries)
  }
}

/** Other work of this process goes first. What takes longer than a few turns of the event loop is looked at less often. */
function beforeLook(tries: number): Promise<void> {
  return new Promise((resolve) => (tries < 10 ? setImmediate(resolve) : setTimeout(resolve, 2)))
}
