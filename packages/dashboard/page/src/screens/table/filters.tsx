// What narrows a table, which columns it has, and how much of it is shown.

import { getRouteApi, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Kind } from '../../kinds/kind.ts'
import type { Column, TableState } from '../../live/table-replica.ts'
import { Button } from '../../parts/button.tsx'
import { SaveView } from '../../parts/views/save-view.tsx'
import { ChooseColumns } from './choose-columns.tsx'

const route = getRouteApi('/kinds/$group/$version/$resource')

export interface FiltersProps {
  readonly kind: Kind
  readonly shown: number
  readonly state: TableState
  readonly columns: readonly Column[]
  readonly labels: () => readonly string[]
  readonly title: string
  readonly showFilters: boolean
  readonly onShowFilters: (show: boolean) => void
}

export function Filters({ kind, shown, state, columns, labels, title, showFilters, onShowFilters }: FiltersProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const href = useLocation({ select: ({ href }) => href })
  const [open, setOpen] = useState<'columns' | 'save'>()
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <div className="toolbar">
      <input
        type="search"
        className="filter-rows"
        aria-label="Filter rows"
        aria-keyshortcuts="/"
        placeholder="Filter rows"
        value={search.q ?? ''}
        onChange={(event) => set({ q: event.target.value || undefined })}
      />
      <Selector
        label="Labels"
        placeholder="labels: app=web"
        value={search.labels}
        onDone={(labels) => set({ labels })}
      />
      <Selector
        label="Fields"
        placeholder="fields: spec.size=3"
        value={search.fields}
        onDone={(fields) => set({ fields })}
      />
      <button type="button" aria-pressed={showFilters} onClick={() => onShowFilters(!showFilters)}>
        Filter columns
      </button>
      <Button onPress={() => setOpen('columns')}>Columns</Button>
      <Button onPress={() => setOpen('save')}>Save view</Button>
      <span className="space" />
      <span className="quiet" role="status">
        {countText(shown, state)}
      </span>
      {open === 'columns' && (
        <ChooseColumns kind={kind} columns={columns} labels={labels()} onClose={() => setOpen(undefined)} />
      )}
      {open === 'save' && <SaveView title={title} path={href} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

export function countText(shown: number, { rows, phase, remaining, page }: TableState): string {
  const held = rows.length
  if (phase === 'loading' && held === 0) return 'Loading …'
  const all = shown === held ? `${held} rows` : `${shown} of ${held} rows`
  if (phase === 'partial') return `${all} of page ${page + 1}`
  if (phase !== 'loading' || remaining === 0) return all
  return `${all}, ${remaining === undefined ? 'more' : `${remaining} more`} are coming`
}

interface SelectorProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string | undefined
  readonly onDone: (value: string | undefined) => void
}

/** Asks the server with Enter, not with every letter: half a selector is an error. */
function Selector({ label, placeholder, value = '', onDone }: SelectorProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onDone(text.trim() || undefined)
      }}
    >
      <input
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => onDone(text.trim() || undefined)}
      />
    </form>
  )
}
