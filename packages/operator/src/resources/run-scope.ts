// One run of one instance: what its author looked at, set and reported so far. It ends with the run; code that goes on
// after that finds no run here and cannot write into a later one.

import type { ObjectRef } from '../runtime/run.ts'
import type { RunContext } from '../runtime/run-context.ts'
import { refKey } from './inventory.ts'
import { type Closable, outOfScope, type Scope } from './scope.ts'
import type { Subresource } from './subresources.ts'

export class RunScope implements Scope {
  /** By name, as they were last reported. */
  readonly subresources = new Map<string, Subresource>()
  /** Condition types that the author set. */
  readonly conditions = new Set<string>()
  /** Handles that were asked for in this run, not while the instance was built. */
  readonly owned = new Map<string, ObjectRef>()
  /** How often a handle showed an object other than it is. */
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
    // Finding it tracks it. A cache that does not fill is the concern of the caller that waits for it.
    this.#tracking.push(outOfScope(() => this.#run.target(ref)).catch(() => undefined))
  }

  misread(): void {
    this.misreads++
  }

  hold(held: Closable): () => void {
    return this.#instance.hold(held)
  }

  /** What was looked at counts only while the run goes on, so this waits until all of it is noted. */
  async end(): Promise<void> {
    await Promise.all(this.#tracking)
    this.#ended = true
  }
}
