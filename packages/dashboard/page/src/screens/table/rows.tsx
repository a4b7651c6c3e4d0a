// The rows of a table. Only those that can be seen are in the document, however many there are. Arrows or j and k go from row to row,
// Space marks, Enter opens.

import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react'
import { useScreenKeys } from '../../app/keys/screen-keys.ts'
import { NONE } from '../../app/none.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { Row } from '../../live/table-replica.ts'
import type { Arranged } from './arrange.ts'
import { ColumnHeads } from './column-heads.tsx'
import { allToggled, extended, moved, type Selection, toggled } from './selection.ts'
import { idOf, TableRow } from './table-row.tsx'

const ROW_PX = 32
const PAGE_ROWS = 20
const route = getRouteApi('/kinds/$group/$version/$resource')

export interface RowsProps {
  readonly kind: Kind
  readonly arranged: Arranged
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  readonly showFilters: boolean
  /** Asks whether to delete what is marked, or this row. */
  readonly onDelete: (row: Row) => void
}

export function Rows({ kind, arranged: { columns, rows }, selection, onSelect, showFilters, onDelete }: RowsProps) {
  const place = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const { ns } = route.useSearch() as { ns?: string }
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollPaddingStart: showFilters ? 2 * ROW_PX + 8 : ROW_PX,
    getItemKey: (index) => rows[index]?.uid ?? index,
  })
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const uids = () => rows.map(({ uid }) => uid)

  const marking = useRef<(uid: string, range: boolean) => void>(() => {})
  useEffect(() => {
    marking.current = (uid, range) => onSelect(range ? extended(selection, uids(), uid) : toggled(selection, uid))
  })
  const mark = useCallback((uid: string, range: boolean) => marking.current(uid, range), [])

  function go(by: number, extend: boolean) {
    const next = moved(selection, uids(), by, extend)
    onSelect(next)
    const index = rows.findIndex(({ uid }) => uid === next.at)
    if (index >= 0) virtual.scrollToIndex(index)
  }

  const here = () => rows.find(({ uid }) => uid === selection.at)
  const open = (tab: string | undefined) => {
    const row = here()
    if (row !== undefined) void navigate(linkTo(kind, row, ns, tab))
  }
  useScreenKeys([
    { key: 'j', help: 'the next row', act: () => go(1, false) },
    { key: 'k', help: 'the row before', act: () => go(-1, false) },
    {
      key: ' ',
      help: 'mark the row',
      act: () => selection.at !== undefined && onSelect(toggled(selection, selection.at)),
    },
    { key: 'Enter', help: 'open the row', act: () => open(undefined) },
    { key: 'd', help: 'describe it', act: () => open('summary') },
    { key: 'y', help: 'its YAML', act: () => open('yaml') },
    { key: 'e', help: 'edit it', act: () => open('edit') },
    { key: 'l', help: 'its logs', act: () => open('logs') },
    {
      key: 'Control+d',
      help: 'delete it, or what is marked',
      act: () => {
        const row = here()
        if (row !== undefined) onDelete(row)
      },
    },
  ])

  function press(event: KeyboardEvent) {
    // Links, buttons and fields inside of the table have keys of their own.
    if (event.target !== event.currentTarget || event.altKey) return
    const all = (event.ctrlKey || event.metaKey) && event.key === 'a'
    if ((event.ctrlKey || event.metaKey) && !all) return
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      J: 1,
      ArrowUp: -1,
      K: -1,
      PageDown: PAGE_ROWS,
      PageUp: -PAGE_ROWS,
      Home: -rows.length,
      End: rows.length,
    }
    const step = steps[event.key]
    if (step !== undefined) go(step, event.shiftKey)
    else if (all) onSelect(allToggled(selection, uids()))
    else return
    event.preventDefault()
  }

  return (
    <div ref={place} className="rows">
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows that can be marked make a grid
        role="grid"
        tabIndex={0}
        aria-label={`Rows of ${kind.kind}`}
        aria-multiselectable="true"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={selection.at === undefined ? undefined : idOf(selection.at)}
        onKeyDown={press}
      >
        <ColumnHeads
          columns={columns}
          showFilters={showFilters}
          allMarked={rows.length > 0 && rows.every(({ uid }) => selection.marked.has(uid))}
          onMarkAll={() => onSelect(allToggled(selection, uids()))}
        />
        <tbody>
          {before > 0 && <tr style={{ height: before }} />}
          {items.map(({ index, key }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <TableRow
                key={key}
                kind={kind}
                row={row}
                columns={columns}
                index={index}
                marked={selection.marked.has(row.uid)}
                at={selection.at === row.uid}
                onMark={mark}
              />
            )
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}

function linkTo(
  { group, version, resource }: Kind,
  { namespace, name }: Row,
  ns: string | undefined,
  tab: string | undefined,
) {
  return {
    to: '/objects/$group/$version/$resource/$namespace/$name',
    params: { group: group || NONE, version, resource, namespace: namespace ?? NONE, name },
    search: { ...(ns !== undefined && { ns }), ...(tab !== undefined && { tab }) },
  } as const
}
