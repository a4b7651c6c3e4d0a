// Decides whether a resource needs a Process, from its committed state. Pure. A resource has at most one Process that waits
// and one that runs.

import { tickAfter } from './interval.ts'

export interface ResourceFacts {
  readonly uid: string
  readonly generation: number
  readonly observedGeneration: number | undefined
  readonly deleting: boolean
  /** Whether the resource has the colony's finalizer. */
  readonly held: boolean
  /** Whether a user asks for a reconcile. */
  readonly requested: boolean
}

/** The state of the resource that a Process carries. */
export interface CarriedFacts {
  readonly generation: number
}

export interface WaitingFacts extends CarriedFacts {
  /** Whether that is the current state of the resource. */
  readonly current: boolean
}

export type Trigger = 'change' | 'deletion' | 'request' | 'interval'

export type Action =
  /** `until` is when to plan again without a change. */
  | { readonly do: 'nothing'; readonly until: number | undefined }
  /** The finalizer comes before the first Process, so that everything an attempt creates is cleaned up. */
  | { readonly do: 'hold' }
  | { readonly do: 'create'; readonly trigger: Trigger }
  /** Updates the resource in the waiting Process; with `soon` its backoff is dropped. */
  | { readonly do: 'refresh'; readonly trigger: Trigger | undefined; readonly soon: boolean }

export interface Situation {
  readonly facts: ResourceFacts
  /** 0 means no periodic reconcile. */
  readonly intervalMs: number
  readonly waiting: WaitingFacts | undefined
  readonly running: CarriedFacts | undefined
  /** When a Process of the resource was last seen, or the resource was first seen. */
  readonly since: number
  readonly now: number
}

export function planProcess({ facts, intervalMs, waiting, running, since, now }: Situation): Action {
  const { uid, generation, observedGeneration, deleting, held, requested } = facts
  if (!held) return deleting ? { do: 'nothing', until: undefined } : { do: 'hold' }
  const unseen = generation !== observedGeneration
  const change: Trigger = deleting ? 'deletion' : 'change'
  if (waiting) {
    if (requested) return { do: 'refresh', trigger: 'request', soon: true }
    if (waiting.generation !== generation) return { do: 'refresh', trigger: change, soon: true }
    if (!waiting.current) return { do: 'refresh', trigger: undefined, soon: false }
    return { do: 'nothing', until: undefined }
  }
  if (requested) return { do: 'create', trigger: 'request' }
  if (unseen && running?.generation !== generation) return { do: 'create', trigger: change }
  if (running || !(intervalMs > 0)) return { do: 'nothing', until: undefined }
  const tick = tickAfter(uid, intervalMs, since)
  return tick <= now ? { do: 'create', trigger: deleting ? 'deletion' : 'interval' } : { do: 'nothing', until: tick }
}
