// The functions that `homeostat executor run` has without a module.

import type { ExecutorFunction, ProcessContext } from '@homeostat/executor'

export const echo: ExecutorFunction = ({ args, kwargs }: ProcessContext) => (args.length > 0 ? args : kwargs)

/** `args: [SECONDS]` or `kwargs: { seconds }`. Ends early when its process is cancelled. */
export const sleep: ExecutorFunction = async ({ args, kwargs, signal, log }: ProcessContext) => {
  const seconds = Number(args[0] ?? kwargs.seconds ?? 1)
  if (!(seconds >= 0 && seconds <= MAX_SECONDS)) throw new Error(`sleep takes seconds from 0 to ${MAX_SECONDS}`)
  log(`sleeping for ${seconds}s`)
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000)
    const end = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
  return { slept: seconds }
}

/** The longest delay of a timer. */
const MAX_SECONDS = 2_000_000
