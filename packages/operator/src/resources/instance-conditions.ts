// The conditions of an instance: those of the current reconcile; between reconciles the stored ones, read-only.

import { type Condition, findCondition } from '@homeostat/meta'
import type { ConditionInput, Conditions } from '../runtime/reconcile-context.ts'
import type { Instance } from './instance.ts'

export class InstanceConditions implements Conditions {
  readonly #instance: Instance

  constructor(instance: Instance) {
    this.#instance = instance
  }

  get(type: string): Condition | undefined {
    const run = this.#instance.scope?.run
    if (run) return run.conditions.get(type)
    const { status } = this.#instance.object as { status?: { conditions?: Condition[] } }
    return findCondition(status?.conditions, type)
  }

  async set(type: string, condition: ConditionInput): Promise<void> {
    const scope = this.#instance.scope
    if (!scope?.run) return this.#instance.outsideRun(`conditions.set(${JSON.stringify(type)})`)
    scope.conditions.add(type)
    await scope.run.conditions.set(type, condition)
  }

  remove(type: string): void {
    const run = this.#instance.scope?.run
    if (run) run.conditions.remove(type)
    else this.#instance.outsideRun(`conditions.remove(${JSON.stringify(type)})`)
  }
}
