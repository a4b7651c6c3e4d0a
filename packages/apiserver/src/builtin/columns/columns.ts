// Puts the columns of a kind together: their names and types from the table of resources, their cells from the files
// beside this one.

import type { Column } from '../../registry/resource-type.ts'
import { age, type Cell, type Cells, createdAt, name } from './cells.ts'
import { CORE_CELLS } from './core.ts'

/** By `group/resource`. A kind that is not here has a name and an age, or the time of its creation. */
const CELLS: Readonly<Record<string, Cells>> = { ...CORE_CELLS }

const USUAL: Readonly<Record<string, Cell>> = { Name: name, Age: age, 'Created At': createdAt }

/** `texts` are `name|type|format|priority` where what is usual is left out. */
export function builtinColumns(key: string, texts: readonly string[]): Column[] {
  const cells = CELLS[key]
  return texts.map((text, index) => {
    const [title = '', type, format, priority] = text.split('|')
    return {
      name: title,
      type: type || 'string',
      format: format ?? '',
      description: DESCRIPTIONS[title] ?? `${title}.`,
      priority: Number(priority ?? 0),
      cell: cells?.[index] ?? USUAL[title] ?? (() => ''),
    }
  })
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Name: 'The name of the object, unique among objects of its kind in its namespace.',
  Age: 'How long ago the object was created.',
  'Created At': 'When the object was created.',
}
