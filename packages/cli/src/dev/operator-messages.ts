// What `dev` and the module that it puts before the operator's program send each other.

import type { DefinitionChange } from '@homeostat/operator'
import type { RequestInfo } from '@homeostat/operator/access'
import type { InstalledDefinition, RunDescription } from '@homeostat/operator/host'

export type FromOperator =
  /** The program loads these files, or would if they were there. */
  | { readonly type: 'loads'; readonly files: readonly string[] }
  /** `run()` was called. */
  | { readonly type: 'started'; readonly run: RunDescription }
  /** Definitions are installed and caches synced. */
  | { readonly type: 'works'; readonly run: RunDescription }
  | { readonly type: 'installed'; readonly installed: InstalledDefinition }
  /** A request that differs from those before in what rights it needs. */
  | { readonly type: 'requested'; readonly request: RequestInfo }
  | {
      readonly type: 'asks'
      readonly question: number
      readonly definition: string
      readonly changes: readonly DefinitionChange[]
    }

export type ToOperator =
  /** Allows what was asked for. An operator that is not allowed it is ended. */
  { readonly type: 'allow'; readonly question: number } | { readonly type: 'end' }

/** How long an operator may take to end before it is killed. */
export const END_GRACE_MS = 5000
