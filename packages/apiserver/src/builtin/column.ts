// Makes the table columns of built-in kinds; their cells are what kubectl shows.

import type { KubeObject } from '@homeostat/meta'
import type { Column } from '../registry/resource-type.ts'
import { ageSince } from '../table/cell.ts'

/** A column of text; numbers in its cells stay numbers. Those of priority 1 show with `-o wide` only. */
export function column(
  name: string,
  description: string,
  cell: (object: KubeObject, now: number) => unknown,
  priority = 0,
): Column {
  return { name, type: 'string', format: '', description, priority, cell }
}

export function age(timestamp: unknown, now: number): string {
  return ageSince(typeof timestamp === 'string' ? timestamp : undefined, now)
}
