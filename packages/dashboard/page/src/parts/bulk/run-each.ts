// Does something to each of many objects, a few at a time, and says how far it is and what failed. Pure but for what it is given to do.

export interface Failure {
  readonly name: string
  readonly message: string
}

export interface Progress {
  readonly done: number
  readonly total: number
  readonly failures: readonly Failure[]
}

/** More would keep the server from others, and a browser has six connections. */
const AT_ONCE = 4

/** Ends early, with what was done, when the signal is aborted. */
export async function runEach<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  act: (item: T) => Promise<unknown>,
  tell: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress> {
  const failures: Failure[] = []
  let done = 0
  let next = 0
  const progress = (): Progress => ({ done, total: items.length, failures: [...failures] })
  const worker = async () => {
    while (next < items.length && !signal.aborted) {
      const item = items[next++] as T
      try {
        await act(item)
      } catch (error) {
        failures.push({ name: nameOf(item), message: (error as Error).message })
      }
      done += 1
      tell(progress())
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return progress()
}
