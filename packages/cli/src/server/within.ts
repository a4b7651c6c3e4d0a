// Limits how long a shutdown may take.

/** Waits for the work, at most for the given time. */
export async function within(ms: number, work: Promise<void>, onTimeout: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onTimeout()
      resolve()
    }, ms)
  })
  await Promise.race([work, timeout])
  clearTimeout(timer)
}
