// One reconcile of one instance: what its author has read, set and reported so far. It ends with the reconcile; code
// that goes on after that finds no reconcile here and cannot write into a later one.

import type { ObjectRef } from '../runtime/reconcile-context.ts'
import type { RunContext } from '../runtime/run-context.ts'
import { refKey } from './inventory.ts'
import { type Closable, outOfScope, type Scope } from './scope.ts'
import type { Subresource } from './subresources.ts'

export class RunScope implements Scope {
  /** The last report of each part, by name. */
  readonly subresources = new Map<string, Subresource>()
  /** Condition types that the author set. */
  readonly conditions = new Set<string>()
  /** Objects of handles that this reconcile requested, not the constructor. */
  readonly owned = new Map<string, ObjectRef>()
  /** How often a handle returned a value in another form than the server stores. */
  misreads = 0
  readonly #run: RunContext
  readonly #instance: Pick<Scope, 'saw' | 'hold'>
  readonly #seen = new Set<string>()
  readonly #tracking: Promise<unknown>[] = []
  #ended = false

  constructor(run: RunContext, instance: Pick<Scope, 'saw' | 'hold'>) {
    this.#run = run
    this.#instance = instance
  }

  get run(): RunContext | undefined {
    return this.#ended ? undefined : this.#run
  }

  saw(ref: ObjectRef): void {
    const key = refKey(ref)
    if (this.#ended || this.#seen.has(key)) return
    this.#seen.add(key)
    this.#instance.saw(ref)
    // Resolving the target tracks it. A cache that does not sync is reported to the caller that waits for it.
    this.#tracking.push(outOfScope(() => this.#run.target(ref)).catch(() => undefined))
  }

  misread(): void {
    this.misreads++
  }

  hold(held: Closable): () => void {
    return this.#instance.hold(held)
  }

  /** Waits until all reads are tracked: tracking is refused after the reconcile ended. */
  async end(): Promise<void> {
    await Promise.all(this.#tracking)
    this.#ended = true
  }
}
