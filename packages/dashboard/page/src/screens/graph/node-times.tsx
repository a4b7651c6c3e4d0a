// When the nodes ran, in the order in which they began: which one everything waited for.

import type { NodeState } from '@homeostat/colony/views'
import { useMemo } from 'react'
import { Panel } from '../../parts/panel.tsx'
import type { Span } from '../../parts/waterfall/waterfall.ts'
import { Waterfall } from '../../parts/waterfall/waterfall-view.tsx'
import { PHASE_LOOKS } from './phase-looks.ts'

const SHOWN = 60

export function NodeTimes({ nodes }: { readonly nodes: readonly NodeState[] }) {
  const spans = useMemo(() => spansOf(nodes), [nodes])
  if (spans.length === 0) return null
  return (
    <Panel title="When they ran">
      <Waterfall label="When the nodes ran" spans={spans.slice(0, SHOWN)} />
      {spans.length > SHOWN && (
        <p className="quiet">
          The first {SHOWN} of {spans.length} that began.
        </p>
      )}
    </Panel>
  )
}

export function spansOf(nodes: readonly NodeState[]): Span[] {
  const spans = nodes.flatMap(({ node, phase, process }): Span[] => {
    const from = Date.parse(process?.status.startedAt ?? '')
    if (Number.isNaN(from)) return []
    const to = Date.parse(process?.status.finishedAt ?? '')
    const look = PHASE_LOOKS[phase].health ?? 'wait'
    return [{ key: node.name, label: node.name, from, to: Number.isNaN(to) ? undefined : to, look }]
  })
  return spans.sort((a, b) => a.from - b.from)
}
