// The status that a reconcile builds: what the operator wrote before, updated by this reconcile. It sends nothing.

import { applyMergePatch, type Condition, deepClone, deepEqual, type JsonValue, rfc3339 } from '@homeostat/meta'
import type { ConditionInput, Conditions } from './reconcile-context.ts'
import type { StatusShape } from './status-shape.ts'

export interface StatusFields {
  readonly conditions?: readonly Condition[]
  readonly observedGeneration?: number
  readonly [field: string]: unknown
}

type JsonFields = { [field: string]: JsonValue }

interface DraftOptions {
  /** What our manager owns of the status. */
  readonly owned: StatusFields
  /** The whole status, including fields of other managers. */
  readonly live: StatusFields
  readonly generation: number | undefined
  readonly shape: StatusShape
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

export class StatusDraft implements Conditions {
  readonly #options: DraftOptions
  readonly #before: readonly Condition[]
  readonly #conditions = new Map<string, Condition>()
  readonly #set = new Set<string>()
  #fields: Record<string, unknown>
  #touched = false

  constructor(options: DraftOptions) {
    this.#options = options
    const { conditions, observedGeneration: _, ...fields } = options.owned
    this.#fields = fields
    this.#before = Array.isArray(options.live.conditions) ? options.live.conditions : []
    for (const condition of Array.isArray(conditions) ? conditions : []) this.#conditions.set(condition.type, condition)
  }

  get(type: string): Condition | undefined {
    return this.#conditions.get(type) ?? this.stored(type)
  }

  /** The condition when the reconcile began. */
  stored(type: string): Condition | undefined {
    return this.#before.find((condition) => condition.type === type)
  }

  /** Whether the status schema has conditions; if not, the next reconcile finds none. */
  get keepsConditions(): boolean {
    return this.#options.shape.conditions
  }

  /** Whether the operator sets this condition, in this reconcile or an earlier one. */
  has(type: string): boolean {
    return this.#conditions.has(type)
  }

  /** Whether this reconcile set the condition. */
  isSet(type: string): boolean {
    return this.#set.has(type)
  }

  set(type: string, condition: ConditionInput): Promise<void> {
    this.setCondition(type, condition)
    return Promise.resolve()
  }

  setCondition(type: string, { status, reason = 'Reconciled', message = '' }: ConditionInput): void {
    const { generation, shape } = this.#options
    const old = this.stored(type)
    this.#conditions.set(type, {
      type,
      status,
      reason,
      message,
      lastTransitionTime: old?.status === status ? old.lastTransitionTime : rfc3339(this.#options.now()),
      ...(shape.conditionGeneration && generation !== undefined && { observedGeneration: generation }),
    })
    this.#set.add(type)
    this.#touched = true
  }

  remove(type: string): void {
    this.#conditions.delete(type)
    this.#set.delete(type)
    this.#touched = true
  }

  /** Merges like a merge patch; a field that is undefined or null is removed. */
  patch(fields: Readonly<Record<string, unknown>>): void {
    this.#take(applyMergePatch(this.#fields as JsonFields, withNulls(fields) as JsonFields) as Record<string, unknown>)
  }

  replace(fields: Readonly<Record<string, unknown>>): void {
    this.#take(deepClone(fields))
  }

  /** The status to apply. */
  get wanted(): StatusFields {
    const { shape, generation, owned } = this.#options
    const conditions = shape.conditions ? [...this.#conditions.values()] : []
    const { observedGeneration = this.#touched ? generation : owned.observedGeneration, ...fields } = this.#fields
    const observed = shape.observedGeneration ? observedGeneration : this.#fields.observedGeneration
    return {
      ...fields,
      ...(conditions.length > 0 && { conditions }),
      ...(typeof observed === 'number' && { observedGeneration: observed }),
    }
  }

  get differs(): boolean {
    return !deepEqual(inOrder(this.wanted), inOrder(this.#options.owned))
  }

  /** Marks the current generation as observed. */
  observe(): void {
    this.#touched = true
  }

  #take(fields: Record<string, unknown>): void {
    const { conditions, ...others } = fields
    this.#fields = others
    this.#touched = true
    if (!Array.isArray(conditions)) return
    this.#conditions.clear()
    for (const condition of conditions as Condition[]) this.#conditions.set(condition.type, condition)
  }
}

/** Conditions are a set by type, so their order does not count as a difference. */
function inOrder(status: StatusFields): StatusFields {
  if (!Array.isArray(status.conditions)) return status
  const conditions = status.conditions as readonly Condition[]
  return { ...status, conditions: conditions.toSorted((a, b) => (a.type < b.type ? -1 : 1)) }
}

/** A merge patch removes fields by null. */
function withNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withNulls(field)]))
}
