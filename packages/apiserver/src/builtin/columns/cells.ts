// Helpers for the cells of all tables. A cell function returns what kubectl shows in one column for one object.

import type { KubeObject } from '@homeostat/meta'
import { labelsText, selectorText } from '../../registry/selector-text.ts'
import { ageSince } from '../../table/cell.ts'
import { fieldsOf, listOf, textOf } from '../fields-of.ts'

export type Cell = (object: KubeObject, now: number) => unknown
/** The cell functions of a table from left to right. */
export type Cells = readonly Cell[]

export const NONE = '<none>'
export const UNSET = '<unset>'
export const UNKNOWN = '<unknown>'

export const name: Cell = (object) => object.metadata.name ?? ''
export const age: Cell = (object, now) => since(object.metadata.creationTimestamp, now)
export const createdAt: Cell = (object) => object.metadata.creationTimestamp ?? null

export function since(timestamp: unknown, now: number): string {
  return ageSince(typeof timestamp === 'string' ? timestamp : undefined, now)
}

/** The string at a path such as `status.phase`, or `instead`. */
export function text(path: string, instead = ''): Cell {
  return (object) => textOf(valueAt(object, path)) || instead
}

/** The number at a path, or 0. */
export function number(path: string): Cell {
  return (object) => numberAt(object, path)
}

export function flag(path: string, instead = false): Cell {
  return (object) => {
    const value = valueAt(object, path)
    return typeof value === 'boolean' ? value : instead
  }
}

/** The length of the list at a path. */
export function count(path: string): Cell {
  return (object) => listOf(valueAt(object, path)).length
}

export function selector(path: string): Cell {
  return (object) => selectorText(valueAt(object, path)) || NONE
}

export function labels(path: string): Cell {
  return (object) => labelsText(valueAt(object, path)) || NONE
}

/** Names and images of the containers in a pod's spec. */
export function containers(path: string): [Cell, Cell] {
  const all = (field: string) => (object: KubeObject) =>
    listOf(valueAt(object, path))
      .map((container) => textOf(fieldsOf(container)[field]))
      .join(',')
  return [all('name'), all('image')]
}

export function valueAt(object: unknown, path: string): unknown {
  let value: unknown = object
  for (const step of path.split('.')) value = fieldsOf(value)[step]
  return value
}

export function numberAt(object: unknown, path: string): number {
  const value = valueAt(object, path)
  return typeof value === 'number' ? value : 0
}

export function textAt(object: unknown, path: string): string {
  return textOf(valueAt(object, path))
}

/** The first few items and the number of omitted ones. */
export function shortened(all: readonly string[], most: number, separator = ','): string {
  const shown = all.slice(0, most).join(separator)
  return all.length > most ? `${shown} + ${all.length - most} more...` : shown
}
