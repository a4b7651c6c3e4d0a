// One row of a table. It is rendered when its own object changes, not with every change of the table: serves the bench row of 1,000 changes
// per second.

import { memo } from 'react'
import type { Kind } from '../../kinds/kind.ts'
import type { Row } from '../../live/table-replica.ts'
import { Cell } from '../../parts/cell.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import type { ArrangedColumn } from './arrange.ts'

export interface TableRowProps {
  readonly kind: Kind
  readonly row: Row
  readonly columns: readonly ArrangedColumn[]
  /** From 0, of all rows. */
  readonly index: number
  readonly marked: boolean
  /** Whether the keyboard is at it. */
  readonly at: boolean
  /** The same function for all renders. */
  readonly onMark: (uid: string, range: boolean) => void
}

export const TableRow = memo(function TableRow({ kind, row, columns, index, marked, at, onMark }: TableRowProps) {
  const classes = [row.metadata.deletionTimestamp ? 'leaving' : '', at ? 'at' : '', marked ? 'marked' : '']
  return (
    <tr
      id={idOf(row.uid)}
      aria-rowindex={index + 2}
      aria-selected={marked}
      className={classes.join(' ').trim() || undefined}
    >
      <td className="mark">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Mark ${row.name}`}
          checked={marked}
          onChange={() => {}}
          onClick={(event) => onMark(row.uid, event.shiftKey)}
        />
      </td>
      {columns.map((column) => (
        <td key={column.name}>
          {column.name === 'Name' ? (
            <ObjectLink {...kind} namespace={row.namespace} name={row.name}>
              {row.name}
            </ObjectLink>
          ) : (
            <Cell name={column.name} value={column.value(row)} />
          )}
        </td>
      ))}
    </tr>
  )
})

export const idOf = (uid: string) => `row-${uid}`
