// The two columns almost every table has. Built-in kinds and definitions put them into their column lists.

import type { KubeObject } from '@homeostat/meta'
import type { Column } from '../registry/resource-type.ts'
import { ageSince } from './cell.ts'

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique among objects of its kind in its namespace.',
  priority: 0,
  cell: (object: KubeObject) => object.metadata.name ?? '',
}

/** `date` for custom kinds. The tables of built-in kinds call the same cell a `string`. */
export function ageColumn(type: 'date' | 'string'): Column {
  return {
    name: 'Age',
    type,
    format: '',
    description: 'How long ago the object was created.',
    priority: 0,
    cell: (object, now) => ageSince(object.metadata.creationTimestamp, now),
  }
}
