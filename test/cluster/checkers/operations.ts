// What clients asked of objects and what they were told: the input of the checkers, whether the servers are simulated or real.
// Each write has a token of its own, so that whoever reads an object knows which write it comes from.

import type { LogEntry, Stream } from '../../crash/checker.ts'

/** Times are of one clock or counter of the test. Operations overlap unless one was answered before the other was sent. */
export interface Span {
  readonly sentAt: number
  /** Undefined: no answer ever came. */
  readonly answeredAt: number | undefined
  readonly client: string
  /** Whom the client asked. */
  readonly server: string
}

export type Action =
  /** Needs the key to be absent. */
  | { readonly verb: 'create'; readonly token: string }
  /** Needs the key to be there; to hold `expected`, if it is given. */
  | { readonly verb: 'put'; readonly token: string; readonly expected?: string | undefined }
  | { readonly verb: 'delete'; readonly expected?: string | undefined }
  /** `newest` reflects every acknowledged write. `any` (resourceVersion=0) is as old as the server's cache. */
  | { readonly verb: 'read'; readonly demands: 'newest' | 'any' }

export type Outcome =
  /** The write is stored; what the client was told of its revision. */
  | { readonly type: 'done'; readonly revision?: number | undefined }
  /** What was read; no token: the key is absent. */
  | { readonly type: 'shown'; readonly token?: string | undefined; readonly revision?: number | undefined }
  /** Nothing was stored, because the key is there, is absent, or is not as expected. */
  | { readonly type: 'exists' | 'missing' | 'conflict' }
  /** Nothing was stored, for a reason that says nothing about the key: 429, 503, a full disk. */
  | { readonly type: 'refused' }
  /** Nobody knows: 504, a broken connection. It may be applied at any later time, or never. A read without an answer, too. */
  | { readonly type: 'unknown' }

export interface Operation extends Span {
  readonly key: string
  readonly action: Action
  readonly outcome: Outcome
}

/** Objects that were listed together. */
export interface List extends Span {
  readonly demands: 'newest' | 'any'
  readonly revision: number
  readonly objects: readonly { readonly key: string; readonly revision: number; readonly token: string }[]
}

export interface History {
  readonly operations: readonly Operation[]
  /** Only those that were answered. */
  readonly lists: readonly List[]
  /** What watchers saw from a revision on, over all their connections to whichever servers. */
  readonly streams: readonly Stream[]
  /** Every committed change, by an account that is not in doubt: the store's own, or a watch of the store from its start. */
  readonly log: readonly LogEntry[]
}

/** One operation, for a person. */
export function describe({ key, client, server, sentAt, answeredAt, action, outcome }: Operation): string {
  const wanted = 'expected' in action && action.expected !== undefined ? ` if ${action.expected}` : ''
  const what = 'token' in action ? ` ${action.token}` : action.verb === 'read' ? ` (${action.demands})` : ''
  return `${sentAt}–${answeredAt ?? '…'} ${client} at ${server}: ${action.verb} ${key}${what}${wanted}: ${told(outcome)}`
}

function told(outcome: Outcome): string {
  const at = 'revision' in outcome && outcome.revision !== undefined ? ` at ${outcome.revision}` : ''
  return outcome.type === 'shown' ? `${outcome.token ?? 'absent'}${at}` : `${outcome.type}${at}`
}
