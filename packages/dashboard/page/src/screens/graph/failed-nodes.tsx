// The names of the nodes that failed, with why: what one looks for first in a graph that did not succeed.

import type { NodeState } from '@homeostat/colony/views'
import { Panel } from '../../parts/panel.tsx'

const SHOWN = 20

export interface FailedNodesProps {
  readonly nodes: readonly NodeState[]
  readonly onChoose: (name: string) => void
}

export function FailedNodes({ nodes, onChoose }: FailedNodesProps) {
  if (nodes.length === 0) return null
  // Those that failed themselves, before those that failed since another did.
  const sorted = nodes.toSorted((a, b) => Number(a.process === undefined) - Number(b.process === undefined))
  return (
    <Panel title={`Failed: ${nodes.length}`}>
      <ul className="failed-nodes">
        {sorted.slice(0, SHOWN).map(({ node, detail, process }) => (
          <li key={node.name}>
            <button type="button" className="plain" onClick={() => onChoose(node.name)}>
              {node.name}
            </button>
            <span className={process === undefined ? 'quiet' : 'bad'}>
              {process === undefined
                ? 'did not run: it waits for one that failed'
                : (detail ?? 'no reason').slice(0, 300)}
            </span>
          </li>
        ))}
        {nodes.length > SHOWN && <li className="quiet">and {nodes.length - SHOWN} more</li>}
      </ul>
    </Panel>
  )
}
