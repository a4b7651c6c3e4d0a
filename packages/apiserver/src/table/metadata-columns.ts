// The columns Name and Age, which almost every table has. Built-in kinds and definitions add them to their columns.

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

/** The type is `date` for custom kinds. Tables of built-in kinds declare the same cell as `string`. */
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
