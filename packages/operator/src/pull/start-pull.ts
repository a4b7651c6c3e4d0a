// What `run` needs for an operator that pulls. Loaded on first use.

import type { Clock, Log } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import type { Controlled } from '../runtime/controlled.ts'
import type { NamespaceScope } from '../runtime/namespace-scope.ts'
import { handledBy, withHandler } from './handled-kinds.ts'
import { checkPulled, type PullOptions } from './pull-options.ts'
import { PulledRuns } from './pulled-runs.ts'

interface Settings {
  readonly client: Client
  readonly fieldManager: string
  readonly scope: NamespaceScope
  readonly concurrency: number
  readonly shutdownMs: number
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly signal: AbortSignal
}

export interface Pulling {
  /** The controllers with the handler in their definitions. Throws for a kind that cannot be pulled. */
  withHandlers(all: readonly Controlled[]): readonly Controlled[]
  /** Call it after the definitions are installed. Rejects when the colony would assign nothing. */
  start(all: readonly Controlled[], settings: Settings): Promise<PulledRuns>
}

export function pulling(options: PullOptions): Pulling {
  return {
    withHandlers(all) {
      checkPulled(all)
      return all.map((controlled) => withHandler(controlled, options))
    },
    async start(all, settings) {
      const { client, signal } = settings
      const names = await Promise.all(all.map((controlled) => handledBy(client, controlled, options, signal)))
      return new PulledRuns({
        ...settings,
        executorType: options.executorType,
        colony: options.colony ?? settings.scope.only,
        functions: [...new Set(names)],
      })
    },
  }
}
