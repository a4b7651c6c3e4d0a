// The options of `run(op, { pull })`, and the handler that follows from them for each kind.

import type { Handler } from '@homeostat/executor/protocol'
import { type Duration, milliseconds } from '@homeostat/meta'
import type { Controlled } from '../runtime/controlled.ts'
import { definedFinalizer } from '../runtime/finalizer-name.ts'

export interface PullOptions {
  /** The executor type of the operator; all its workers share it. */
  readonly executorType: string
  /** The namespace whose objects it reconciles. Default: the operator's, else COLONIES_COLONY_NAME, else `default`. */
  readonly colony?: string
  /** Interval between reconciles of an unchanged object. `0s`: only changes. Default: the kind's resync, else 60 s. */
  readonly interval?: Duration
}

const DEFAULT_INTERVAL = '60s'

/** The handler of a kind that the operator defines. Intervals are whole seconds. */
export function handlerOf({ apiVersion, kind, resync }: Controlled, { executorType, interval }: PullOptions): Handler {
  const seconds = Math.ceil(milliseconds(interval ?? resync ?? DEFAULT_INTERVAL) / 1000)
  const finalizer = definedFinalizer(apiVersion)
  return { executorType, functionName: functionName(kind), reconcileInterval: seconds, finalizer }
}

function functionName(kind: string): string {
  return `reconcile_${kind.toLowerCase()}`
}

/** Throws for options that a colony does not support. */
export function checkPulled(all: readonly Controlled[]): void {
  for (const { kind, select } of all) {
    if (select === undefined) continue
    throw new Error(`${kind} cannot be pulled with a selection: a colony hands out all objects of a kind`)
  }
}
