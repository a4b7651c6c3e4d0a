// Executors: when each was last heard of, what it can do and what it holds; those that wait for an approval first.

import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { namespacesOf } from '../../app/namespaces.ts'
import type { Kind } from '../../kinds/kind.ts'
import { type ServedKinds, servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { useTables } from '../../live/use-table.ts'
import { Age } from '../../parts/age.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Banner } from '../../parts/banner.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Candidates } from './candidates.tsx'
import { EXECUTOR_PATHS, type ExecutorLine, executorLines, LEASE_PATHS, PROCESS_PATHS } from './executor-lines.ts'

const route = getRouteApi('/colony/executors')
const KIND = { group: 'colonies.io', version: 'v1', resource: 'executors' } as const

interface Kinds {
  readonly executors: Kind
  readonly leases: Kind
  readonly processes: Kind
}

export function ExecutorsScreen() {
  const kinds = kindsOf(useShown(servedKinds))
  if (kinds === undefined) return <Banner>This server has no executors: it has no colony.</Banner>
  return <Executors kinds={kinds} />
}

function kindsOf(served: ServedKinds | undefined): Kinds | undefined {
  const executors = served?.find('colonies.io', 'v1', 'executors')
  const processes = served?.find('colonies.io', 'v1', 'processes')
  const leases = served?.find('coordination.k8s.io', 'v1', 'leases')
  return executors && processes && leases && { executors, processes, leases }
}

function Executors({ kinds }: { readonly kinds: Kinds }) {
  const { ns } = route.useSearch() as { ns?: string }
  const namespaces = namespacesOf(ns)
  const executors = useTables(kinds.executors, namespaces, { paths: EXECUTOR_PATHS }).state
  const leases = useTables(kinds.leases, namespaces, { paths: LEASE_PATHS }).state
  const running = { fieldSelector: 'status.phase=Running', paths: PROCESS_PATHS }
  const processes = useTables(kinds.processes, namespaces, running).state
  const lines = useMemo(
    () => executorLines(executors.rows, leases.rows, processes.rows),
    [executors.rows, leases.rows, processes.rows],
  )
  return (
    <div className="screen">
      <div className="screen-head">
        <h1>Executors</h1>
      </div>
      {executors.trouble !== undefined && <Banner>{executors.trouble.message}</Banner>}
      {leases.trouble !== undefined && (
        <Banner tone="plain">When they were last heard of is missing: {leases.trouble.message}</Banner>
      )}
      <Candidates namespaces={namespaces} />
      {executors.phase !== 'loading' && lines.length === 0 && (
        <Empty title="No executor has registered">
          <span>
            An executor is a program that takes Processes from the queue and runs them. This one runs programs:
          </span>
          <CopyText text="homeostat executor run --type demo" />
        </Empty>
      )}
      {lines.length > 0 && <Lines lines={lines} />}
    </div>
  )
}

const FUNCTIONS = 4
const HELD = 3

function Lines({ lines }: { readonly lines: readonly ExecutorLine[] }) {
  return (
    <Panel title={`${lines.filter(({ phase }) => phase === 'Online').length} of ${lines.length} online`} flush>
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Type</th>
            <th>Phase</th>
            <th>Last heard</th>
            <th>Holds</th>
            <th>Location</th>
            <th>Functions</th>
            <th>Capabilities</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.key}>
              <td>
                <ObjectLink {...KIND} namespace={line.namespace} name={line.name}>
                  {line.name}
                </ObjectLink>
                <small className="quiet"> {line.namespace}</small>
              </td>
              <td>{line.type}</td>
              <td>
                <Badge health={line.phase === 'Online' ? 'good' : line.phase === 'Lost' ? 'bad' : 'busy'}>
                  {line.phase}
                </Badge>
              </td>
              <td>{line.lastSeen ? <Age time={line.lastSeen} /> : ''}</td>
              <td>
                {line.holds.slice(0, HELD).map((name, index) => (
                  <span key={name}>
                    {index > 0 && ', '}
                    <ObjectLink {...KIND} resource="processes" namespace={line.namespace} name={name}>
                      {name}
                    </ObjectLink>
                  </span>
                ))}
                {line.holds.length > HELD && ` and ${line.holds.length - HELD} more`}
                {line.holds.length === 0 && <span className="quiet">nothing</span>}
              </td>
              <td>{line.location}</td>
              <td title={line.functions.join(', ')}>
                {line.functions.length === 0 ? <span className="quiet">any</span> : functionsText(line.functions)}
              </td>
              <td title={JSON.stringify(line.capabilities)}>{capabilitiesText(line.capabilities)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function functionsText(functions: readonly string[]): string {
  const more = functions.length > FUNCTIONS ? ` and ${functions.length - FUNCTIONS} more` : ''
  return `${functions.slice(0, FUNCTIONS).join(', ')}${more}`.slice(0, 200)
}

/** `gpu A100, memory 64Gi`, whatever else is in there. */
function capabilitiesText(capabilities: unknown): string {
  if (typeof capabilities !== 'object' || capabilities === null) return ''
  const words = Object.entries(capabilities).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([inner, of]) => `${inner} ${wordOf(of)}`)
      : [`${name} ${wordOf(value)}`],
  )
  return words.slice(0, 6).join(', ').slice(0, 200)
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
