// Decides whether a resource needs a run, from what was committed. Pure. It knows of at most one Process that waits and
// one that runs, and never wants a second of either.

import { tickAfter } from './interval.ts'

export interface ResourceFacts {
  readonly uid: string
  readonly generation: number
  readonly observedGeneration: number | undefined
  readonly deleting: boolean
  /** Whether our finalizer is on it. */
  readonly held: boolean
  /** Whether somebody asks for a run. */
  readonly requested: boolean
}

/** What a Process carries of the resource. */
export interface CarriedFacts {
  readonly generation: number
}

export interface WaitingFacts extends CarriedFacts {
  /** Whether what it carries is the resource as it is now. */
  readonly current: boolean
}

export type Trigger = 'change' | 'deletion' | 'request' | 'interval'

export type Action =
  /** `until`: when to look again without a change. */
  | { readonly do: 'nothing'; readonly until: number | undefined }
  /** Our finalizer comes before the first run: what a run makes is never left behind. */
  | { readonly do: 'hold' }
  | { readonly do: 'create'; readonly cause: Trigger }
  /** The waiting Process gets the resource as it is now; `soon`: and need not wait for its time. */
  | { readonly do: 'refresh'; readonly cause: Trigger | undefined; readonly soon: boolean }

export interface Situation {
  readonly facts: ResourceFacts
  /** 0: no ticks. */
  readonly intervalMs: number
  readonly waiting: WaitingFacts | undefined
  readonly running: CarriedFacts | undefined
  /** When a run of it was last seen, or it was first seen. */
  readonly since: number
  readonly now: number
}

export function planProcess({ facts, intervalMs, waiting, running, since, now }: Situation): Action {
  const { uid, generation, observedGeneration, deleting, held, requested } = facts
  if (!held) return deleting ? { do: 'nothing', until: undefined } : { do: 'hold' }
  const unseen = generation !== observedGeneration
  const change: Trigger = deleting ? 'deletion' : 'change'
  if (waiting) {
    if (requested) return { do: 'refresh', cause: 'request', soon: true }
    if (waiting.generation !== generation) return { do: 'refresh', cause: change, soon: true }
    if (!waiting.current) return { do: 'refresh', cause: undefined, soon: false }
    return { do: 'nothing', until: undefined }
  }
  if (requested) return { do: 'create', cause: 'request' }
  if (unseen && running?.generation !== generation) return { do: 'create', cause: change }
  if (running || !(intervalMs > 0)) return { do: 'nothing', until: undefined }
  const tick = tickAfter(uid, intervalMs, since)
  return tick <= now ? { do: 'create', cause: deleting ? 'deletion' : 'interval' } : { do: 'nothing', until: tick }
}
