// What narrows a table, and how much of it is shown.

import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'

const route = getRouteApi('/kinds/$group/$version/$resource')

export interface FiltersProps {
  readonly shown: number
  readonly held: number
  readonly phase: 'loading' | 'live' | 'partial'
  readonly remaining: number
}

export function Filters({ shown, held, phase, remaining }: FiltersProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <div className="toolbar">
      <input
        type="search"
        aria-label="Filter rows"
        placeholder="Filter rows"
        value={search.q ?? ''}
        onChange={(event) => set({ q: event.target.value || undefined })}
      />
      <Selector
        label="Labels"
        placeholder="app=web,tier!=db"
        value={search.labels}
        onDone={(labels) => set({ labels })}
      />
      <Selector
        label="Fields"
        placeholder="metadata.name=web"
        value={search.fields}
        onDone={(fields) => set({ fields })}
      />
      <label>
        <input
          type="checkbox"
          checked={search.cols === 'all'}
          onChange={(event) => set({ cols: event.target.checked ? 'all' : undefined })}
        />
        all columns
      </label>
      <span className="quiet" role="status">
        {countText(shown, held, phase, remaining)}
      </span>
    </div>
  )
}

function countText(shown: number, held: number, phase: FiltersProps['phase'], remaining: number): string {
  if (phase === 'loading' && held === 0) return 'Loading …'
  if (phase === 'partial')
    return `${shown} of the first ${held} rows; ${remaining} more stay on the server: choose a namespace, labels or fields`
  const all = shown === held ? `${held} rows` : `${shown} of ${held} rows`
  return phase === 'loading' ? `${all}, ${remaining} more are coming` : all
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
      />
    </form>
  )
}
