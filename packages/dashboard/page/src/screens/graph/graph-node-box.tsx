// One node in the drawing.

import type { NodePhase } from '@homeostat/executor/graphs'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { PHASE_LOOKS } from './phase-looks.ts'

export type NodeData = { readonly name: string; readonly funcName: string; readonly phase: NodePhase }

export const GraphNodeBox = memo(function GraphNodeBox({ data, selected }: NodeProps<Node<NodeData>>) {
  const { sign, health } = PHASE_LOOKS[data.phase]
  return (
    <div className={`node-box ${health ?? 'quiet'}${selected ? ' chosen' : ''}`}>
      <Handle type="target" position={Position.Left} />
      <span className="sign" aria-hidden="true">
        {sign}
      </span>
      <span className="names">
        <b>{data.name}</b>
        <small>{data.funcName}</small>
      </span>
      <Handle type="source" position={Position.Right} />
    </div>
  )
})
