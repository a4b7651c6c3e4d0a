// On whose behalf code runs: the instance whose constructor or run is under way. Handles ask it, so that what an author
// reads is tracked and what an author holds is let go with the instance. It follows awaits.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { ObjectRef } from '../runtime/run.ts'
import type { RunContext } from '../runtime/run-context.ts'

export interface Closable {
  close(): void
}

export interface Scope {
  /** The run that is under way. */
  readonly run: RunContext | undefined
  /** Something of the object was looked at through a handle. */
  saw(ref: ObjectRef): void
  /** A handle showed an object other than it is: the server writes what was sent in its own way. By now it knows. */
  misread(): void
  /** Keeps what has to be closed with the instance; the answer forgets it. */
  hold(held: Closable): () => void
}

const storage = new AsyncLocalStorage<Scope | undefined>()

export function currentScope(): Scope | undefined {
  return storage.getStore()
}

export function inScope<R>(scope: Scope, work: () => R): R {
  return storage.run(scope, work)
}

/** For what outlives a run, such as a watch: its callbacks must not count as that run's. */
export function outOfScope<R>(work: () => R): R {
  return storage.run(undefined, work)
}
