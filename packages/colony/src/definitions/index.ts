// Definitions of colonies.io, turned into CustomResourceDefinitions. The colony's server starts this.

import type { Api } from '@homeostat/apiserver'
import type { Log } from '@homeostat/operator'
import type { Clock } from '@homeostat/queue'
import { DefinitionController } from './definition-controller.ts'

export interface DefinitionParts {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/** Resolves when the signal has ended it. */
export function startDefinitions(parts: DefinitionParts): Promise<void> {
  return new DefinitionController(parts).run()
}
