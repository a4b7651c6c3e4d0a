// How the phases of nodes look: a sign for those who do not see colours, and a health.

import type { NodePhase } from '@homeostat/executor/graphs'
import type { Health } from '../../parts/health.ts'

export const PHASE_LOOKS: Readonly<Record<NodePhase, { readonly sign: string; readonly health: Health | undefined }>> =
  {
    Failed: { sign: '✘', health: 'bad' },
    Running: { sign: '◐', health: 'busy' },
    Waiting: { sign: '○', health: 'busy' },
    Pending: { sign: '·', health: undefined },
    Succeeded: { sign: '✔', health: 'good' },
    Skipped: { sign: '–', health: undefined },
    Cancelled: { sign: '⊘', health: 'bad' },
  }
