// The objects of a kind, in the server's columns: live, sorted and filtered, with all of it in the address.

import { getRouteApi } from '@tanstack/react-router'
import { NONE } from '../../app/none.ts'
import type { Kind } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { useTable } from '../../live/use-table.ts'
import { Banner } from '../../parts/banner.tsx'
import { arrange } from './arrange.ts'
import { Filters } from './filters.tsx'
import { Rows } from './rows.tsx'

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
  const { ns, q, labels, fields, sort, cols } = route.useSearch() as {
    ns?: string
    q?: string
    labels?: string
    fields?: string
    sort?: string
    cols?: string
  }
  const state = useTable(kind, { namespace: ns, labelSelector: labels, fieldSelector: fields })
  const showNamespace = kind.namespaced && ns === undefined
  const arranged = arrange(state, { text: q, sort, columns: cols, showNamespace })
  return (
    <div className="screen">
      <h1>
        {kind.kind} <small>{kind.group}</small>
      </h1>
      <Filters shown={arranged.rows.length} held={state.rows.length} phase={state.phase} remaining={state.remaining} />
      {state.trouble !== undefined && <Banner>{state.trouble.message}</Banner>}
      <Rows kind={kind} arranged={arranged} sort={sort} />
    </div>
  )
}
