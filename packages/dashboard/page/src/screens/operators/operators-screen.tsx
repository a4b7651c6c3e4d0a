// Operators: what they do and where it fails, as far as the cluster knows it. Their own metrics are on ports of their own, which a
// browser does not reach; the screen says so.

import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { namespacesOf } from '../../app/namespaces.ts'
import type { Kind } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { rateOf } from '../../live/metrics/digest.ts'
import { useMetrics } from '../../live/metrics/feed.ts'
import { useShown } from '../../live/shown.ts'
import { useTables } from '../../live/use-table.ts'
import { Age, useNow } from '../../parts/age.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Banner } from '../../parts/banner.tsx'
import { perSecond } from '../../parts/chart/amounts.ts'
import { Chart, type Series } from '../../parts/chart/chart.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { Panel } from '../../parts/panel.tsx'
import {
  type ControllerLine,
  controllerLines,
  EVENT_PATHS,
  failingObjects,
  LEADER_PATHS,
  leaderLines,
} from './controller-lines.ts'
import { reconcileLines } from './reconcile-lines.ts'

const RECONCILES: readonly Series[] = [{ key: 'reconciles', name: 'by executors' }]
const FAILING = 15

export function OperatorsScreen() {
  const served = useShown(servedKinds)
  const events = served?.find('events.k8s.io', 'v1', 'events')
  const leases = served?.find('coordination.k8s.io', 'v1', 'leases')
  return (
    <div className="screen">
      <div className="screen-head">
        <h1>Operators</h1>
      </div>
      <Banner tone="plain">
        <span>
          From Events of the last hour, Leases and the server's metrics. How deep an operator's own queue is, it tells
          at its own <code>/metrics</code> (the option <code>health</code>), which a browser does not reach.
        </span>
      </Banner>
      <Reconciles />
      {events === undefined ? <Banner>This cluster serves no Events.</Banner> : <Controllers events={events} />}
      {leases !== undefined && <Leaders leases={leases} />}
    </div>
  )
}

function Reconciles() {
  const { now, before, history } = useMetrics()
  const lines = now === undefined ? [] : reconcileLines(now, before)
  if (now === undefined || lines.length === 0) return null
  const rate = rateOf(now, before, 'homeostat_colony_reconcile_seconds_count')
  return (
    <Panel
      title="Resources that executors reconcile"
      actions={rate === undefined ? null : <Badge>{perSecond(rate)}</Badge>}
    >
      <Chart title="Reconciles" history={history} series={RECONCILES} format={perSecond} />
      <table>
        <thead>
          <tr>
            <th>Kind</th>
            <th>Namespace</th>
            <th>Reconciles</th>
            <th>Per second</th>
            <th>Mean time</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ kind, namespace, count, rate, mean }) => (
            <tr key={`${namespace} ${kind}`}>
              <td>{kind}</td>
              <td>{namespace}</td>
              <td>{count.toLocaleString('en')}</td>
              <td>{rate === undefined ? '' : perSecond(rate)}</td>
              <td>{mean === undefined ? '' : `${mean.toFixed(3)} s`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function Controllers({ events }: { readonly events: Kind }) {
  const { ns } = useSearch({ from: '__root__' })
  const kinds = useShown(servedKinds)
  const { state } = useTables(events, namespacesOf(ns), { paths: EVENT_PATHS })
  const lines = useMemo(() => controllerLines(state.rows), [state.rows])
  const failing = useMemo(() => failingObjects(state.rows, FAILING), [state.rows])
  return (
    <>
      {state.trouble !== undefined && <Banner>{state.trouble.message}</Banner>}
      <Panel title="Controllers" flush={lines.length > 0}>
        {lines.length === 0 ? (
          <Empty title="No controller has said anything in the last hour">
            <span>An operator of this framework records an Event for each change that it makes.</span>
          </Empty>
        ) : (
          <ControllerTable lines={lines} />
        )}
      </Panel>
      {failing.length > 0 && (
        <Panel title="Objects with the most warnings" flush>
          <table>
            <thead>
              <tr>
                <th>Object</th>
                <th>Warnings</th>
                <th>Reason</th>
                <th>Message</th>
                <th>Last</th>
              </tr>
            </thead>
            <tbody>
              {failing.map((one) => {
                const kind = kinds?.all.find((served) => served.kind === one.kind)
                const text = `${one.kind} ${one.name}`
                return (
                  <tr key={`${text} ${one.namespace}`}>
                    <td>
                      {kind === undefined ? (
                        text
                      ) : (
                        <ObjectLink {...kind} namespace={kind.namespaced ? one.namespace : undefined} name={one.name}>
                          {text}
                        </ObjectLink>
                      )}
                    </td>
                    <td>{one.count}</td>
                    <td>{one.reason.slice(0, 100)}</td>
                    <td className="wide">{one.note.slice(0, 300)}</td>
                    <td>
                      <Age time={one.at} />
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </Panel>
      )}
    </>
  )
}

function ControllerTable({ lines }: { readonly lines: readonly ControllerLine[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Controller</th>
          <th>Reconciled</th>
          <th>Warnings</th>
          <th>Other events</th>
          <th>Kinds</th>
          <th>Last said something</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.name}>
            <td>
              <Link
                to="/kinds/$group/$version/$resource"
                params={{ group: 'events.k8s.io', version: 'v1', resource: 'events' }}
                search={{ fields: `reportingController=${line.name}` }}
              >
                {line.name.slice(0, 200)}
              </Link>
            </td>
            <td>{line.reconciled.toLocaleString('en')}</td>
            <td>
              <span className={line.warnings > 0 ? 'state bad' : 'quiet'}>{line.warnings.toLocaleString('en')}</span>
            </td>
            <td>{line.others.toLocaleString('en')}</td>
            <td>{line.kinds.slice(0, 6).join(', ').slice(0, 200)}</td>
            <td>
              <Age time={line.lastSaid} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Leaders({ leases }: { readonly leases: Kind }) {
  const { ns } = useSearch({ from: '__root__' })
  const { state } = useTables(leases, namespacesOf(ns), { paths: LEADER_PATHS })
  const now = useNow()
  const lines = leaderLines(state.rows, now)
  if (lines.length === 0) return null
  return (
    <Panel title="Leaders" flush>
      <table>
        <thead>
          <tr>
            <th>Lease</th>
            <th>Holder</th>
            <th>State</th>
            <th>Renewed</th>
            <th>Changes</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ namespace, lease, holder, renewed, changes, isHeld }) => (
            <tr key={`${namespace}/${lease}`}>
              <td>
                <ObjectLink {...leases} namespace={namespace} name={lease}>
                  {lease}
                </ObjectLink>
                <small className="quiet"> {namespace}</small>
              </td>
              <td>{holder.slice(0, 200)}</td>
              <td>
                <Badge health={isHeld ? 'good' : 'bad'}>{isHeld ? 'leads' : 'nobody leads'}</Badge>
              </td>
              <td>
                <Age time={renewed} />
              </td>
              <td>{changes}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
