// Schedules in words, with their next runs; run now, suspend, resume.

import type { Schedule } from '@homeostat/executor/schedules'
import { SCHEDULE_LABELS } from '@homeostat/executor/schedules'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { namespacesOf } from '../../app/namespaces.ts'
import { client } from '../../connection/client.ts'
import type { Kind } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import type { Row } from '../../live/table-replica.ts'
import { useTables } from '../../live/use-table.ts'
import { Age, useNow } from '../../parts/age.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Banner } from '../../parts/banner.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useWhyNot } from '../../parts/use-why-not.ts'
import { timingWords } from './cron-words.ts'
import { nextRuns } from './next-runs.ts'
import './schedules.css'

const route = getRouteApi('/colony/schedules')
const KIND = { group: 'colonies.io', version: 'v1', resource: 'schedules' } as const
/** Whole ones: when it is due follows from both. */
const PATHS = ['.spec', '.status']

export function SchedulesScreen() {
  const kind = useShown(servedKinds)?.find(KIND.group, KIND.version, KIND.resource)
  if (kind === undefined) return <Banner>This server has no schedules: it has no colony.</Banner>
  return <Schedules kind={kind} />
}

function Schedules({ kind }: { readonly kind: Kind }) {
  const { ns } = route.useSearch() as { ns?: string }
  const { state } = useTables(kind, namespacesOf(ns), { paths: PATHS })
  const [problem, setProblem] = useState<string>()
  return (
    <div className="screen schedules">
      <div className="screen-head">
        <h1>Schedules</h1>
      </div>
      {state.trouble !== undefined && <Banner>{state.trouble.message}</Banner>}
      {problem !== undefined && <Banner>{problem}</Banner>}
      {state.phase !== 'loading' && state.rows.length === 0 && (
        <Empty title="Nothing is scheduled">
          <span>A Schedule makes a Process or a graph at certain times.</span>
          <CopyText text="kubectl explain schedule.spec" />
        </Empty>
      )}
      {state.rows.length > 0 && (
        <Panel title="When they run" flush>
          <table>
            <thead>
              <tr>
                <th>Name</th>
                <th>When</th>
                <th>Makes</th>
                <th>Next</th>
                <th>Last run</th>
                <th>Actions</th>
              </tr>
            </thead>
            <tbody>
              {state.rows.map((row) => (
                <Line key={row.uid} row={row} onProblem={setProblem} />
              ))}
            </tbody>
          </table>
        </Panel>
      )}
    </div>
  )
}

const NEXT = 3

function Line({ row, onProblem }: { readonly row: Row; readonly onProblem: (problem: string | undefined) => void }) {
  const now = useNow()
  const { namespace = '', name, uid } = row
  const [spec = {}, status = {}] = (row.fields ?? []) as [Schedule['spec']?, Schedule['status']?]
  const place = { namespace, name }
  const mayRun = useWhyNot({ verb: 'create', group: KIND.group, resource: KIND.resource, subresource: 'run', ...place })
  const mayPatch = useWhyNot({ verb: 'patch', group: KIND.group, resource: KIND.resource, ...place })
  const { times, problem } = nextRuns(spec, status, uid, now, NEXT)
  const isGraph = spec.graph !== undefined
  const trying = (act: () => Promise<unknown>) => {
    onProblem(undefined)
    act().catch((error: Error) => onProblem(`${name}: ${error.message}`))
  }
  const run = () =>
    client.requestJson({
      method: 'POST',
      path: `/apis/colonies.io/v1/namespaces/${namespace}/schedules/${name}/run`,
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    })
  const suspend = () =>
    client.resourceOf<Schedule>('colonies.io/v1', 'Schedule').patch(place, { spec: { suspend: !spec.suspend } })
  return (
    <tr>
      <td>
        <ObjectLink {...KIND} namespace={namespace} name={name}>
          {name}
        </ObjectLink>
        <small className="quiet"> {namespace}</small>
      </td>
      <td>{timingWords(spec)}</td>
      <td>
        <Link
          to="/kinds/$group/$version/$resource"
          params={{ ...KIND, resource: isGraph ? 'processgraphs' : 'processes' }}
          search={{ ns: namespace, labels: `${SCHEDULE_LABELS.name}=${name}` }}
        >
          {isGraph ? `a graph of ${spec.graph?.nodes?.length ?? 0} nodes` : spec.process?.funcName}
        </Link>
      </td>
      <td>
        {spec.suspend ? (
          <Badge health="busy">suspended</Badge>
        ) : problem !== undefined ? (
          <Badge health="bad">{problem.slice(0, 100)}</Badge>
        ) : (
          <span className="next">
            {times.map((time, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the first, the second and the third run
              <span key={index}>
                <Age time={time} />
              </span>
            ))}
            {times.length === 0 && <span className="quiet">never again</span>}
          </span>
        )}
      </td>
      <td>
        {status.lastRun === undefined ? <span className="quiet">none yet</span> : <Age time={status.lastRun.time} />}
      </td>
      <td>
        <span className="toolbar">
          <Button label={`Run now: ${name}`} whyNot={mayRun} onPress={() => trying(run)}>
            Run now
          </Button>
          <Button
            label={`${spec.suspend ? 'Resume' : 'Suspend'}: ${name}`}
            whyNot={mayPatch}
            onPress={() => trying(suspend)}
          >
            {spec.suspend ? 'Resume' : 'Suspend'}
          </Button>
        </span>
      </td>
    </tr>
  )
}
