// Definitions of colonies.io, turned into CustomResourceDefinitions. The colony's server starts this.

import type { Api } from '@homeostat/apiserver'
import type { Clock, Log } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { DefinitionController } from './definition-controller.ts'

export interface DefinitionParts {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly events?: EventSink
}

/** Where it is told what became of a definition. */
export interface EventSink {
  record(regarding: KubeObject, event: { type?: 'Normal' | 'Warning'; reason: string; message: string }): void
}

/** Resolves when the signal has ended it. */
export function startDefinitions(parts: DefinitionParts): Promise<void> {
  return new DefinitionController(parts).run()
}
