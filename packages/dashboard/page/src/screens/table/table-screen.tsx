// The objects of a kind, in the columns that one wants: live, sorted and filtered, with all of it in the address.

import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { namespacesOf } from '../../app/namespaces.ts'
import { NONE } from '../../app/none.ts'
import type { Kind } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { MOST_ROWS, type Row, type TableState } from '../../live/table-replica.ts'
import { useTables } from '../../live/use-table.ts'
import { Banner } from '../../parts/banner.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { type Arranged, arrange } from './arrange.ts'
import { BulkBar } from './bulk-bar.tsx'
import { BulkDelete } from './bulk-dialogs.tsx'
import { parseFilters } from './column-filter.ts'
import { fieldPaths } from './column-spec.ts'
import { Filters } from './filters.tsx'
import { Rows } from './rows.tsx'
import { NOTHING, type Selection } from './selection.ts'
import './table.css'

const route = getRouteApi('/kinds/$group/$version/$resource')

export function TableScreen() {
  const { group, version, resource } = route.useParams()
  const kinds = useShown(servedKinds)
  const kind = kinds?.find(group === NONE ? '' : group, version, resource)
  if (kind === undefined)
    return (
      <Banner>
        The server does not serve {resource} in {group}/{version}.
      </Banner>
    )
  return <KindTable key={`${group}/${version}/${resource}`} kind={kind} />
}

function KindTable({ kind }: { readonly kind: Kind }) {
  const params = route.useParams()
  const search = route.useSearch() as ReturnType<typeof route.useSearch> & { ns?: string }
  const { ns, labels, fields, cols, where } = search
  const paths = useMemo(() => fieldPaths(cols), [cols])
  const namespaces = namespacesOf(ns)
  const { state, turn } = useTables(kind, namespaces, { labelSelector: labels, fieldSelector: fields, paths })
  const [showFilters, setShowFilters] = useState(where !== undefined)
  const [deleting, setDeleting] = useState<readonly Row[]>()
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const showNamespace = kind.namespaced && (namespaces.length > 1 || namespaces[0] === undefined)
  const arranged = useArranged(state, search, paths, showNamespace)
  const marked = useMemo(
    () => (selection.marked.size === 0 ? [] : arranged.rows.filter(({ uid }) => selection.marked.has(uid))),
    [arranged, selection],
  )
  const phase = state.columns.findIndex(({ name }) => name === 'Phase')
  return (
    <div className="screen table-screen">
      <div className="screen-head">
        <h1>
          {kind.kind} <small>{kind.group || 'core'}</small>
        </h1>
        <span className="space" />
        {kind.verbs.includes('create') && (
          <Link
            className="button"
            to="/new/$group/$version/$resource"
            params={params}
            search={ns === undefined ? {} : { ns }}
          >
            New {kind.kind}
          </Link>
        )}
      </div>
      <Filters
        kind={kind}
        shown={arranged.rows.length}
        state={state}
        columns={state.columns}
        labels={() => labelsOf(state.rows)}
        title={kind.kind}
        showFilters={showFilters}
        onShowFilters={setShowFilters}
      />
      {state.trouble !== undefined && <Banner>{state.trouble.message}</Banner>}
      {state.phase === 'partial' && <TooMany state={state} turn={turn} />}
      <BulkBar
        kind={kind}
        rows={marked}
        phaseOf={({ cells }) => cells[phase]}
        onClear={() => setSelection({ ...selection, marked: new Set() })}
      />
      {deleting !== undefined && <BulkDelete kind={kind} rows={deleting} onClose={() => setDeleting(undefined)} />}
      {arranged.rows.length === 0 && state.phase !== 'loading' ? (
        <Nothing kind={kind} held={state.rows.length} />
      ) : (
        <Rows
          kind={kind}
          arranged={arranged}
          selection={selection}
          onSelect={setSelection}
          showFilters={showFilters}
          onDelete={(row) => setDeleting(marked.length > 0 ? marked : [row])}
        />
      )}
    </div>
  )
}

function useArranged(
  state: TableState,
  { q, sort, cols, where }: { q?: string; sort?: string; cols?: string; where?: string },
  paths: readonly string[],
  showNamespace: boolean,
): Arranged {
  const { columns, rows } = state
  const wanted = useMemo(() => ({ columns: cols, paths, showNamespace }), [cols, paths, showNamespace])
  // The same columns until they change: then rows that have not changed are not rendered.
  const shown = useMemo(() => arrange({ columns, rows: [] }, { ...wanted, now: 0 }).columns, [columns, wanted])
  return useMemo(() => {
    const given = { ...wanted, text: q, sort, filters: parseFilters(where), now: Date.now() }
    return { columns: shown, rows: arrange({ columns, rows }, given).rows }
  }, [columns, rows, shown, q, sort, where, wanted])
}

function TooMany({ state, turn }: { readonly state: TableState; readonly turn: (to: 'next' | 'first') => void }) {
  const { remaining, hasNext, page, rows } = state
  return (
    <Banner tone="busy">
      <span>
        There are more than {MOST_ROWS.toLocaleString('en')} objects: the server filters by namespace, labels and
        fields, and sends pages, which stand still. The text filter, those of columns and the order are of this page
        alone. {hasNext && `After its ${rows.length} rows there are ${numberOf(remaining)}more.`}
      </span>
      <span className="space" />
      <Button onPress={() => turn('first')} whyNot={page === 0 ? 'This is the first page.' : undefined}>
        First page
      </Button>
      <Button onPress={() => turn('next')} whyNot={hasNext ? undefined : 'This is the last page.'}>
        Next page
      </Button>
    </Banner>
  )
}

/** Servers do not say how many more there are once labels or fields narrow the list. */
function numberOf(remaining: number | undefined): string {
  return remaining === undefined ? '' : `${remaining.toLocaleString('en')} `
}

function Nothing({ kind, held }: { readonly kind: Kind; readonly held: number }) {
  const { q, where, labels, fields, ns } = route.useSearch() as Record<string, string | undefined>
  const params = route.useParams()
  const narrowed = held > 0 || q || where || labels || fields
  if (narrowed)
    return (
      <Empty title="Nothing matches the filters">
        <Link to="/kinds/$group/$version/$resource" params={params} search={ns === undefined ? {} : { ns }}>
          Show all
        </Link>
      </Empty>
    )
  return (
    <Empty title={`There is no ${kind.kind}${ns === undefined ? '' : ` in ${ns.replaceAll(',', ', ')}`}`}>
      <span>One that is created shows here at once.</span>
    </Empty>
  )
}

const MOST_LABELS = 100

function labelsOf(rows: readonly Row[]): string[] {
  const names = new Set<string>()
  for (const { metadata } of rows) {
    for (const name of Object.keys(metadata.labels ?? {})) names.add(name)
    if (names.size > MOST_LABELS) break
  }
  return [...names].sort()
}
