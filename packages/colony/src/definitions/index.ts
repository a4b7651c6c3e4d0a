// Definitions of colonies.io, turned into CustomResourceDefinitions. The colony's server starts this.

import type { Api } from '@homeostat/apiserver'
import type { Log } from '@homeostat/operator'
import type { Clock } from '@homeostat/queue'

export interface DefinitionParts {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/** Resolves when the signal has ended it. */
export async function startDefinitions({ signal }: DefinitionParts): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
