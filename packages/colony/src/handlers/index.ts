// Resources whose definition names a handler: kept true through Processes. The colony's server starts this.

import type { HandlerParts, Handling } from './handling.ts'

export type { Conclusion, HandlerParts, Handling, ProcessesOfResource, ResourceProcesses } from './handling.ts'

export function startHandlers({ signal }: HandlerParts): Handling {
  const done = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  return { conclude: async () => ({ keep: true }), done }
}
