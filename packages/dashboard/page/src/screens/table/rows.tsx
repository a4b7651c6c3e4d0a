// The rows of a table. Only those that can be seen are in the document, however many there are.

import { getRouteApi } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { Kind } from '../../kinds/kind.ts'
import { Cell } from '../../parts/cell.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import type { Arranged } from './arrange.ts'

const ROW_PX = 32
const route = getRouteApi('/kinds/$group/$version/$resource')

export interface RowsProps {
  readonly kind: Kind
  readonly arranged: Arranged
  readonly sort: string | undefined
}

export function Rows({ kind, arranged: { columns, rows }, sort }: RowsProps) {
  const place = useRef<HTMLElement>(null)
  const navigate = route.useNavigate()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (index) => rows[index]?.uid ?? index,
  })
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const order = (name: string) =>
    void navigate({ search: (old) => ({ ...old, sort: sort === name ? `-${name}` : name }), replace: true })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls must be reachable by keyboard
    <section ref={place} className="rows" tabIndex={0} aria-label={`Rows of ${kind.kind}`}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map(({ name, description }) => (
              <th key={name} aria-sort={sortOf(name, sort)} title={description}>
                <button type="button" onClick={() => order(name)}>
                  {name}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr style={{ height: before }} />}
          {items.map(({ index, key }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <tr
                key={key}
                aria-rowindex={index + 2}
                className={row.metadata.deletionTimestamp ? 'leaving' : undefined}
              >
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
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </section>
  )
}

function sortOf(name: string, sort: string | undefined): 'ascending' | 'descending' | 'none' {
  if (sort === name) return 'ascending'
  return sort === `-${name}` ? 'descending' : 'none'
}
