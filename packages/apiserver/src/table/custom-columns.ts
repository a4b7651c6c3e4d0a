// Makes the columns of a custom kind from the additionalPrinterColumns of its definition. The definition controller
// calls it once per version; the paths are parsed here and not per object.

import { type JsonPath, parseJsonPath } from '@homeostat/meta/json-path'
import type { Column } from '../registry/resource-type.ts'
import { cellOf } from './cell.ts'
import { ageColumn, nameColumn } from './metadata-columns.ts'

/** Name and the given columns, or Name and Age when the definition has none. */
export function customColumns(additionalPrinterColumns: readonly unknown[] | undefined): Column[] {
  if (!additionalPrinterColumns || additionalPrinterColumns.length === 0) return [nameColumn, ageColumn('date')]
  const columns = [nameColumn]
  for (const definition of additionalPrinterColumns) {
    const column = customColumn(definition)
    // Validation refuses an invalid path; a definition that was stored with one still gets a table.
    if (!column) break
    columns.push(column)
  }
  return columns
}

function customColumn(definition: unknown): Column | undefined {
  if (typeof definition !== 'object' || definition === null) return undefined
  const { name, type, format, description, priority, jsonPath } = definition as Record<string, unknown>
  if (typeof name !== 'string' || typeof type !== 'string' || typeof jsonPath !== 'string') return undefined
  const path = parsePath(jsonPath)
  if (!path) return undefined
  return {
    name,
    type,
    format: typeof format === 'string' ? format : '',
    description:
      typeof description === 'string' && description !== ''
        ? description
        : `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: typeof priority === 'number' ? priority : 0,
    // The cell shows the first of several values.
    cell: (object, now) => cellOf(type, path.find(object)[0], now),
  }
}

function parsePath(text: string): JsonPath | undefined {
  try {
    return parseJsonPath(text)
  } catch {
    return undefined
  }
}
