// Finds the executor that makes a call. Every call counts as a sign of life. A call of a replaced program is refused.

import type { ExtensionRequest } from '@homeostat/apiserver'
import { notFound } from '@homeostat/meta'
import type { Presence } from '../executors/presence.ts'
import { EXECUTORS, keyOf, replacedBy } from '../kinds/resources.ts'
import type { ExecutorName } from '../queue/executor-liveness.ts'
import type { ExecutorFacts } from '../state/executor-facts.ts'

export interface CallerParts {
  readonly executors: ReadonlyMap<string, ExecutorFacts>
  readonly presence: Presence
  /** What is known of an executor has changed: something may be due at another time. */
  heard(): void
}

export class Callers {
  readonly #parts: CallerParts

  constructor(parts: CallerParts) {
    this.#parts = parts
  }

  /** The executor that the path of the request names. 404 without one, 409 when another program has its name. */
  caller({ namespace = '', name }: ExtensionRequest, instance: string | undefined): ExecutorFacts {
    const executor = this.#parts.executors.get(keyOf({ namespace, name }))
    if (executor === undefined) throw notFound(EXECUTORS, name)
    if (instance !== undefined && executor.instance !== undefined && instance !== executor.instance)
      throw replacedBy(name)
    return executor
  }

  heard(executor: ExecutorFacts): void {
    this.#parts.presence.heard(executor)
    this.#parts.heard()
  }

  /** The same for an executor that a body names. Does nothing when there is none. */
  heardByName(name: ExecutorName): void {
    const executor = this.#parts.executors.get(keyOf(name))
    if (executor !== undefined) this.heard(executor)
  }

  /** Whether it has not been deleted, also when another of its name was created since. */
  isRegistered({ namespace, name, uid }: ExecutorFacts): boolean {
    return this.#parts.executors.get(keyOf({ namespace, name }))?.uid === uid
  }
}
