// One object: its summary and, by tab, everything else that is known of it.

import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { NONE } from '../../app/none.ts'
import type { Kind, ObjectName } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useObject } from '../../live/object.ts'
import { useShown } from '../../live/shown.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { Summary } from './summary.tsx'

const Yaml = lazy(() => import('./yaml.tsx').then(({ Yaml }) => ({ default: Yaml })))
const route = getRouteApi('/objects/$group/$version/$resource/$namespace/$name')

export function ObjectScreen() {
  const { group, version, resource, namespace, name } = route.useParams()
  const kind = useShown(servedKinds)?.find(group === NONE ? '' : group, version, resource)
  if (kind === undefined)
    return (
      <p role="alert">
        The server does not serve {resource} in {group}/{version}.
      </p>
    )
  return <ShownObject kind={kind} of={{ namespace: namespace === NONE ? undefined : namespace, name }} />
}

function ShownObject({ kind, of }: { readonly kind: Kind; readonly of: ObjectName }) {
  const { tab = 'summary' } = route.useSearch()
  const navigate = route.useNavigate()
  const { object, phase, trouble } = useObject(kind, of)
  const tabs = ['summary', 'yaml']
  return (
    <div className="screen">
      <h1>
        {of.name}{' '}
        <small>
          {kind.kind}
          {of.namespace === undefined ? '' : ` in ${of.namespace}`}
        </small>
      </h1>
      {phase === 'missing' && <p role="alert">There is no such object. If it is created, it shows here.</p>}
      {phase === 'gone' && <p role="alert">It was deleted. This is the last state that was seen.</p>}
      {trouble !== undefined && <p role="alert">{trouble.message}</p>}
      {phase === 'loading' && <p role="status">Loading …</p>}
      {object !== undefined && (
        <Tabs
          names={tabs}
          chosen={tab}
          onChoose={(next) =>
            void navigate({
              search: (old) => ({ ...old, tab: next === 'summary' ? undefined : next }) as never,
              replace: true,
            })
          }
        >
          <Suspense fallback={<p role="status">Loading …</p>}>
            {tab === 'yaml' ? <Yaml object={object} /> : <Summary kind={kind} object={object} />}
          </Suspense>
        </Tabs>
      )}
    </div>
  )
}
