// Decides whether the conditions of a node hold: on the phase of a parent, or on a value in its output. Pure.

import type { NodePhase, WhenCondition } from '@homeostat/executor/graphs'
import { deepEqual } from '@homeostat/meta'

/** A parent that has ended. Its output is read only when a condition asks for it. */
export interface EndedParent {
  readonly phase: NodePhase
  output(): unknown
}

export function holds(
  conditions: readonly WhenCondition[],
  parent: (name: string) => EndedParent | undefined,
): boolean {
  return conditions.every((condition) => {
    const ended = parent(condition.node)
    if (ended === undefined) return false
    if (condition.phase !== undefined && ended.phase !== condition.phase) return false
    return condition.pointer === undefined || compares(condition, valueAt(ended.output(), condition.pointer))
  })
}

/** A value that is not there equals nothing, and is neither greater nor less than anything. */
function compares({ operator = 'Equals', value }: WhenCondition, found: unknown): boolean {
  if (operator === 'Equals') return found !== undefined && deepEqual(found, value)
  if (operator === 'NotEquals') return !deepEqual(found, value)
  if (!isOrdered(found) || !isOrdered(value)) return false
  if ((typeof found === 'string') !== (typeof value === 'string')) return false
  return operator === 'GreaterThan' ? found > value : found < value
}

function isOrdered(value: unknown): value is number | bigint | string {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
}

/** RFC 6901; undefined when there is nothing. Only own properties are followed. */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
  let value = document
  for (const escaped of pointer.slice(1).split('/')) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = /^(?:0|[1-9][0-9]*)$/.test(step) ? value[Number(step)] : undefined
    else if (typeof value === 'object' && value !== null && Object.hasOwn(value, step))
      value = (value as Record<string, unknown>)[step]
    else return undefined
  }
  return value
}
