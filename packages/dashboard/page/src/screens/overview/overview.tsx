// The first screen: how many objects there are of each kind, and everything that is not ready. For an empty server: what to do.

import { Link, useSearch } from '@tanstack/react-router'
import { NONE } from '../../app/none.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { Age } from '../../parts/age.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Banner } from '../../parts/banner.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { FirstSteps } from './first-steps.tsx'
import type { NotReady } from './join-overviews.ts'
import { useOverview } from './use-overview.ts'
import './overview.css'

export function Overview() {
  const { ns } = useSearch({ from: '__root__' })
  const kinds = useShown(servedKinds)
  const { overview, problem, isGathered } = useOverview(ns)
  if (overview === undefined) return problem ? <Banner>{problem}</Banner> : <p role="status">Counting …</p>
  const { counts, notReady, notReadyCount } = overview
  const custom = counts.filter(({ group }) => group.includes('.') && !group.endsWith('.k8s.io'))
  if (custom.length === 0 && problem === undefined) return <FirstSteps />
  return (
    <div className="screen overview">
      <h1>Overview</h1>
      {problem !== undefined && <Banner tone="plain">{problem}</Banner>}
      {isGathered && <NotReadyPanel notReady={notReady} count={notReadyCount} />}
      <Panel flush title="Objects">
        {custom.length === 0 && <Empty title="There are no objects of custom kinds" />}
        <ul className="counts">
          {custom.map((one) => {
            const kind = kinds?.find(one.group, one.version, one.resource)
            return (
              <li key={`${one.group}/${one.resource}`}>
                <Link
                  to="/kinds/$group/$version/$resource"
                  params={{ group: one.group || NONE, version: one.version, resource: one.resource }}
                  search={ns === undefined ? {} : { ns }}
                >
                  {kind?.kind ?? one.resource} <strong>{one.count}</strong>
                  {one.notReady > 0 && <span className="bad"> {one.notReady} not ready</span>}
                </Link>
              </li>
            )
          })}
        </ul>
      </Panel>
    </div>
  )
}

interface NotReadyProps {
  readonly notReady: readonly NotReady[]
  readonly count: number
}

function NotReadyPanel({ notReady, count }: NotReadyProps) {
  return (
    <Panel flush title="Not ready" actions={<Badge health={count > 0 ? 'bad' : undefined}>{count}</Badge>}>
      {notReady.length === 0 ? (
        <Empty title="Everything that says whether it is ready, is." />
      ) : (
        <table className="not-ready">
          <thead>
            <tr>
              <th>Kind</th>
              <th>Name</th>
              <th>Reason</th>
              <th>Message</th>
              <th>Since</th>
            </tr>
          </thead>
          <tbody>
            {notReady.map((one) => (
              <tr key={one.uid}>
                <td>{one.kind}</td>
                <td className="name">
                  <ObjectLink {...one}>{one.namespace ? `${one.namespace}/${one.name}` : one.name}</ObjectLink>
                </td>
                <td className="why">{one.reason}</td>
                <td className="wide">{one.message}</td>
                <td className="since">
                  <Age time={one.since} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
