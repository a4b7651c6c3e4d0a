// The heads of the columns: a click sorts, once more turns the order, a third time leaves it to the server. Below them a filter for
// each, when somebody wants them.

import { getRouteApi } from '@tanstack/react-router'
import type { ArrangedColumn } from './arrange.ts'
import { parseFilters, printFilters } from './column-filter.ts'

const route = getRouteApi('/kinds/$group/$version/$resource')

export interface ColumnHeadsProps {
  readonly columns: readonly ArrangedColumn[]
  readonly showFilters: boolean
  readonly allMarked: boolean
  readonly onMarkAll: () => void
}

export function ColumnHeads({ columns, showFilters, allMarked, onMarkAll }: ColumnHeadsProps) {
  const { sort, where } = route.useSearch()
  const navigate = route.useNavigate()
  const filters = parseFilters(where)
  const order = (name: string) =>
    void navigate({ search: (old) => ({ ...old, sort: nextOrder(name, sort) }), replace: true })
  const filter = (name: string, wanted: string) =>
    void navigate({
      search: (old) => ({ ...old, where: printFilters({ ...parseFilters(old.where), [name]: wanted }) }),
      replace: true,
    })
  return (
    <thead>
      <tr>
        <th className="mark">
          <input type="checkbox" aria-label="Mark all that are shown" checked={allMarked} onChange={onMarkAll} />
        </th>
        {columns.map(({ name, description }) => (
          <th key={name} aria-sort={orderOf(name, sort)} title={description}>
            <button type="button" onClick={() => order(name)}>
              {name}
            </button>
          </th>
        ))}
      </tr>
      {showFilters && (
        <tr className="column-filters">
          <td />
          {columns.map(({ name }) => (
            <td key={name}>
              <input
                aria-label={`Filter by ${name}`}
                placeholder="text, =, !, >, <"
                value={filters[name] ?? ''}
                onChange={(event) => filter(name, event.target.value)}
              />
            </td>
          ))}
        </tr>
      )}
    </thead>
  )
}

function nextOrder(name: string, sort: string | undefined): string | undefined {
  if (sort === name) return `-${name}`
  return sort === `-${name}` ? undefined : name
}

function orderOf(name: string, sort: string | undefined): 'ascending' | 'descending' | 'none' {
  if (sort === name) return 'ascending'
  return sort === `-${name}` ? 'descending' : 'none'
}
