// What `run` needs to let an operator pull. Loaded by the first that does.

import type { Clock } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import type { Controlled } from '../runtime/controlled.ts'
import type { Log } from '../runtime/run.ts'
import { handledBy, withHandler } from './handled-kinds.ts'
import { checkPulled, type PullOptions } from './pull-options.ts'
import { PulledRuns } from './pulled-runs.ts'

interface Settings {
  readonly client: Client
  readonly fieldManager: string
  readonly namespace?: string | undefined
  readonly concurrency: number
  readonly shutdownMs: number
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
}

/** With definitions that name their handler. Throws for what cannot be pulled. */
export function withHandlers(all: readonly Controlled[], options: PullOptions): readonly Controlled[] {
  checkPulled(all)
  return all.map((controlled) => withHandler(controlled, options))
}

/** Call it when definitions are installed. Rejects when the colony would hand out nothing. */
export async function pullFor(
  all: readonly Controlled[],
  options: PullOptions,
  settings: Settings,
  signal: AbortSignal,
): Promise<PulledRuns> {
  const names = await Promise.all(all.map((controlled) => handledBy(settings.client, controlled, options, signal)))
  return new PulledRuns({
    ...settings,
    executorType: options.executorType,
    colony: options.colony ?? settings.namespace,
    functions: [...new Set(names)],
  })
}
