// What the cells of all tables are made of. A cell function gives what kubectl shows in one column of one object.

import type { KubeObject } from '@homeostat/meta'
import { ageSince } from '../../table/cell.ts'
import { textOf } from '../fields-of.ts'

export type Cell = (object: KubeObject, now: number) => unknown
/** The cells of a table from left to right. */
export type Cells = readonly Cell[]

export const name: Cell = (object) => object.metadata.name ?? ''
export const age: Cell = (object, now) => ageSince(object.metadata.creationTimestamp, now)
export const createdAt: Cell = (object) => object.metadata.creationTimestamp ?? null

export function since(timestamp: unknown, now: number): string {
  return ageSince(typeof timestamp === 'string' ? timestamp : undefined, now)
}

/** The value at a dotted path, printed as text; empty when there is none. */
export function textAt(...path: string[]): Cell {
  return (object) => textOf(valueAt(object, path))
}

export function valueAt(object: unknown, path: readonly string[]): unknown {
  let value: unknown = object
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}
