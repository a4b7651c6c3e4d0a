// The first screen: how many objects there are of each kind, and everything that is not ready. For an empty server: what to do.

import { Link, useSearch } from '@tanstack/react-router'
import { NONE } from '../../app/none.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { Age } from '../../parts/age.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { FirstSteps } from './first-steps.tsx'
import { useOverview } from './use-overview.ts'

export function Overview() {
  const { ns } = useSearch({ from: '__root__' })
  const kinds = useShown(servedKinds)
  const { overview, problem } = useOverview(ns)
  if (overview === undefined) return problem ? <p role="alert">{problem}</p> : <p role="status">Counting …</p>
  const { counts, notReady, notReadyCount } = overview
  const custom = counts.filter(({ group }) => group.includes('.') && !group.endsWith('.k8s.io'))
  if (custom.length === 0) return <FirstSteps />
  return (
    <>
      <h1>Overview</h1>
      {problem !== undefined && <p role="note">{problem}</p>}
      <section aria-labelledby="not-ready">
        <h2 id="not-ready">Not ready: {notReadyCount}</h2>
        {notReady.length === 0 ? (
          <p className="good">Everything that says whether it is ready, is.</p>
        ) : (
          <div className="scroll">
            <table>
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
                    <td>
                      <ObjectLink {...one}>{one.namespace ? `${one.namespace}/${one.name}` : one.name}</ObjectLink>
                    </td>
                    <td>{one.reason}</td>
                    <td className="wide">{one.message}</td>
                    <td>
                      <Age time={one.since} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      <section aria-labelledby="counts">
        <h2 id="counts">Objects</h2>
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
                  <strong>{one.count}</strong> {kind?.kind ?? one.resource}
                  {one.notReady > 0 && <span className="bad"> {one.notReady} not ready</span>}
                </Link>
              </li>
            )
          })}
        </ul>
      </section>
    </>
  )
}
