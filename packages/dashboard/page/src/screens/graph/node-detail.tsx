// The node that was chosen: what it does, how it went, and where its Process is.

import type { NodeState } from '@homeostat/colony/views'
import { Age } from '../../parts/age.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { PHASE_LOOKS } from './phase-looks.ts'

export interface NodeDetailProps {
  readonly namespace: string
  readonly state: NodeState | undefined
  readonly onClose: () => void
}

export function NodeDetail({ namespace, state, onClose }: NodeDetailProps) {
  if (state === undefined) return null
  const { node, phase, process, detail } = state
  const name = process?.metadata.name
  return (
    <Panel
      title={node.name}
      actions={
        <>
          <Badge health={PHASE_LOOKS[phase].health}>{phase}</Badge>
          <Button look="plain" label="Close the node" onPress={onClose}>
            ×
          </Button>
        </>
      }
    >
      <dl className="facts">
        <dt>Function</dt>
        <dd>
          {node.funcName} on {node.conditions?.executorType}
        </dd>
        <dt>Waits for</dt>
        <dd>{node.dependencies?.join(', ') || 'nothing'}</dd>
        {name !== undefined && (
          <>
            <dt>Process</dt>
            <dd>
              <ObjectLink group="colonies.io" version="v1" resource="processes" namespace={namespace} name={name}>
                {name}
              </ObjectLink>
            </dd>
          </>
        )}
        {process?.status.startedAt !== undefined && (
          <>
            <dt>Started</dt>
            <dd>
              <Age time={process.status.startedAt} />
            </dd>
          </>
        )}
        {detail !== undefined && (
          <>
            <dt>Says</dt>
            <dd>{detail.slice(0, 2000)}</dd>
          </>
        )}
      </dl>
    </Panel>
  )
}
