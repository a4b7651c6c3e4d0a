// How many Processes are in each phase, as links to them. Counted from a table that follows the server; above 20,000 only the metrics know.

import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Kind } from '../../kinds/kind.ts'
import { servedKinds } from '../../kinds/served-kinds.ts'
import { useShown } from '../../live/shown.ts'
import { useTables } from '../../live/use-table.ts'
import { healthOf } from '../../parts/health.ts'

const PHASES = ['Waiting', 'Running', 'Succeeded', 'Failed', 'Cancelled'] as const
const PROCESSES = { group: 'colonies.io', version: 'v1', resource: 'processes' } as const

export interface PhaseCountsProps {
  readonly namespaces: readonly (string | undefined)[]
}

export function PhaseCounts({ namespaces }: PhaseCountsProps) {
  const kind = useShown(servedKinds)?.find('colonies.io', 'v1', 'processes')
  return kind === undefined ? null : <Counts kind={kind} namespaces={namespaces} />
}

function Counts({ kind, namespaces }: PhaseCountsProps & { readonly kind: Kind }) {
  const { state } = useTables(kind, namespaces, {})
  const counts = useMemo(() => {
    const place = state.columns.findIndex(({ name }) => name === 'Phase')
    const found = new Map<unknown, number>()
    for (const { cells } of state.rows) found.set(cells[place], (found.get(cells[place]) ?? 0) + 1)
    return found
  }, [state.rows, state.columns])
  const ns = namespaces.filter((name) => name !== undefined).join(',')
  return (
    <ul className="phases" aria-label="Processes by phase">
      {PHASES.map((phase) => {
        const count = counts.get(phase) ?? 0
        return (
          <li key={phase}>
            <Link
              to="/kinds/$group/$version/$resource"
              params={PROCESSES}
              search={{ ...(ns !== '' && { ns }), fields: `status.phase=${phase}` }}
            >
              <strong className={count > 0 ? (healthOf('phase', phase) ?? '') : 'quiet'}>
                {state.phase === 'partial' ? '…' : count.toLocaleString('en')}
              </strong>
              {phase}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
