// The instance whose constructor or reconcile the current code runs in, kept in an AsyncLocalStorage so that it follows
// awaits. Handles ask it, so that reads are tracked and held references are closed with the instance.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { ObjectRef } from '../runtime/reconcile-context.ts'
import type { RunContext } from '../runtime/run-context.ts'

export interface Closable {
  close(): void
}

export interface Scope {
  /** The current reconcile. */
  readonly run: RunContext | undefined
  /** A handle read the object. */
  saw(ref: ObjectRef): void
  /** A handle returned a value that the server spells differently from what was sent. It has the right one now. */
  misread(): void
  /** Registers something to close with the instance; the returned function unregisters it. */
  hold(held: Closable): () => void
}

const KEY = Symbol.for('homeostat.operator.scope')
const shared = globalThis as { [KEY]?: AsyncLocalStorage<Scope | undefined> }
/** One for all copies of this package: what a library reads with its own copy is tracked, too. */
const storage = shared[KEY] ?? new AsyncLocalStorage<Scope | undefined>()
shared[KEY] = storage

export function currentScope(): Scope | undefined {
  return storage.getStore()
}

export function inScope<R>(scope: Scope, work: () => R): R {
  return storage.run(scope, work)
}

/** For work that outlives a reconcile, such as a watch: its callbacks must not count as part of that reconcile. */
export function outOfScope<R>(work: () => R): R {
  return storage.run(undefined, work)
}
