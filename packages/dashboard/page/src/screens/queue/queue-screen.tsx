// The queue of the colony: for each type of executor how much waits and runs, how long the oldest has waited, and whether somebody is
// there to take it.

import { getRouteApi, Link } from '@tanstack/react-router'
import { namespacesOf } from '../../app/namespaces.ts'
import { useMetrics } from '../../live/metrics/feed.ts'
import { humanDuration } from '../../parts/age.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Banner } from '../../parts/banner.tsx'
import { perSecond, short } from '../../parts/chart/amounts.ts'
import { Chart, type Series } from '../../parts/chart/chart.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PauseQueue } from './pause-queue.tsx'
import { PhaseCounts } from './phase-counts.tsx'
import { type QueueLine, queueLines } from './queue-lines.ts'
import './queue.css'

const route = getRouteApi('/colony/queue')
const RATES: readonly Series[] = [{ key: 'assigned', name: 'assigned' }]
const DEPTH: readonly Series[] = [
  { key: 'waiting', name: 'waiting' },
  { key: 'running', name: 'running' },
]
const PROCESSES = { group: 'colonies.io', version: 'v1', resource: 'processes' } as const

export function QueueScreen() {
  const { ns, charts } = route.useSearch() as { ns?: string; charts?: string }
  const navigate = route.useNavigate()
  const { now, before, history, problem } = useMetrics()
  const namespaces = namespacesOf(ns)
  const lines = now === undefined ? undefined : queueLines(now, before, namespaces)
  return (
    <div className="screen queue-screen">
      <div className="screen-head">
        <h1>Queue</h1>
        <span className="space" />
        <button
          type="button"
          aria-pressed={charts !== undefined}
          onClick={() =>
            void navigate({
              search: (old) => ({ ...old, charts: charts === undefined ? 'on' : undefined }),
              replace: true,
            })
          }
        >
          Charts
        </button>
      </div>
      <PhaseCounts namespaces={namespaces} />
      <PauseQueue namespaces={namespaces} />
      {problem !== undefined && (
        <Banner tone="plain">
          The metrics of this server cannot be read ({problem}), so that depth and rates by type are missing here. The
          counts above are from the API.
        </Banner>
      )}
      {charts !== undefined && (
        <>
          <div className="charts">
            <Chart title="Depth" history={history} series={DEPTH} format={short} />
            <Chart title="Assigned" history={history} series={RATES} format={perSecond} />
            <Chart title="Waiting by type" history={history} series={typeSeries(lines ?? [])} format={short} />
          </div>
          <p className="quiet">Of all namespaces, while this page is open: at most the last twenty minutes.</p>
        </>
      )}
      {lines?.length === 0 && (
        <Empty title="Nothing waits, nothing runs, and no executor is there">
          <span>Work waits in the queue until an executor takes it.</span>
          <CopyText text="homeostat process submit echo --type demo --arg hello --wait" />
          <CopyText text="homeostat executor run --type demo" />
        </Empty>
      )}
      {lines !== undefined && lines.length > 0 && <Lines lines={lines} />}
      {lines === undefined && problem === undefined && <p role="status">Reading the queue …</p>}
    </div>
  )
}

function Lines({ lines }: { readonly lines: readonly QueueLine[] }) {
  return (
    <Panel title="By type of executor" flush>
      <table>
        <thead>
          <tr>
            <th>Type</th>
            <th>Namespace</th>
            <th className="number">Waiting</th>
            <th className="number">Oldest</th>
            <th className="number">Running</th>
            <th className="number">Assigned</th>
            <th className="number">Waited</th>
            <th>Executors</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.namespace} ${line.type}`}>
              <td>
                <Link
                  to="/kinds/$group/$version/$resource"
                  params={PROCESSES}
                  search={{ ns: line.namespace, fields: `spec.conditions.executorType=${line.type}` }}
                >
                  {line.type}
                </Link>
              </td>
              <td>{line.namespace}</td>
              <td className="number">
                <Depth line={line} phase="Waiting" count={line.waiting} />
              </td>
              <td className="number">{line.oldest === undefined ? '' : humanDuration(line.oldest * 1000)}</td>
              <td className="number">
                <Depth line={line} phase="Running" count={line.running} />
              </td>
              <td className="number">{line.assigned === undefined ? '' : perSecond(line.assigned)}</td>
              <td className="number">{line.pause === undefined ? '' : `${short(line.pause)} s`}</td>
              <td>
                {line.online === 0 ? (
                  <Badge health={line.waiting > 0 ? 'bad' : 'busy'}>none is online</Badge>
                ) : (
                  <Badge health="good">{line.online} online</Badge>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function Depth({ line, phase, count }: { readonly line: QueueLine; readonly phase: string; readonly count: number }) {
  if (count === 0) return <span className="quiet">0</span>
  const fields = `status.phase=${phase},spec.conditions.executorType=${line.type}`
  return (
    <Link to="/kinds/$group/$version/$resource" params={PROCESSES} search={{ ns: line.namespace, fields }}>
      {count.toLocaleString('en')}
    </Link>
  )
}

function typeSeries(lines: readonly QueueLine[]): Series[] {
  const types = [...new Set(lines.map(({ type }) => type))]
  return types.slice(0, 8).map((type) => ({ key: `waiting ${type}`, name: type }))
}
