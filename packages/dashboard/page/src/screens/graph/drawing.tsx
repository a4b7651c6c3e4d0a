// The drawing of a graph, by xyflow: only what can be seen is in the document. Places stay when phases change; a node that is added
// while it runs gets one.

import { Background, BackgroundVariant, Controls, type Edge, type Node, Position, ReactFlow } from '@xyflow/react'
import '@xyflow/react/dist/style.css'
import type { NodeState } from '@homeostat/colony/views'
import { useMemo } from 'react'
import { GraphNodeBox, type NodeData } from './graph-node-box.tsx'
import { placesOf } from './layers.ts'

const COLUMN_PX = 240
const ROW_PX = 62
/** More are not shown at once: a browser would be busy with lines that nobody can tell apart. */
const FITS = 300
const NODE_TYPES = { box: GraphNodeBox }

export interface DrawingProps {
  readonly nodes: readonly NodeState[]
  readonly chosen: string | undefined
  readonly onChoose: (name: string | undefined) => void
}

export function Drawing({ nodes, chosen, onChoose }: DrawingProps) {
  const shape = nodes.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: nodes are added and never changed, so that their number tells
  const { places, edges } = useMemo(() => layOut(nodes), [shape])
  const boxes = useMemo(
    () =>
      nodes.map((state): Node<NodeData> => {
        const { layer, row } = places.get(state.node.name) ?? { layer: 0, row: 0 }
        return {
          id: state.node.name,
          type: 'box',
          position: { x: layer * COLUMN_PX, y: row * ROW_PX },
          sourcePosition: Position.Right,
          targetPosition: Position.Left,
          data: { name: state.node.name, funcName: state.node.funcName, phase: state.phase },
          selected: state.node.name === chosen,
          width: 190,
          height: 46,
          ariaLabel: `${state.node.name}, ${state.phase}`,
        }
      }),
    [nodes, places, chosen],
  )
  return (
    <section className="drawing" aria-label="The graph">
      <ReactFlow
        nodes={boxes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        fitView={nodes.length <= FITS}
        minZoom={nodes.length <= FITS ? 0.1 : 0.35}
        maxZoom={1.4}
        onlyRenderVisibleElements={nodes.length > FITS}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        onNodeClick={(_, { id }) => onChoose(id)}
        onSelectionChange={({ nodes: [node] }) => node && onChoose(node.id)}
      >
        <Background variant={BackgroundVariant.Dots} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  )
}

function layOut(nodes: readonly NodeState[]) {
  const names = new Set(nodes.map(({ node }) => node.name))
  const places = placesOf(nodes.map(({ node }) => ({ name: node.name, dependencies: node.dependencies ?? [] })))
  const edges: Edge[] = nodes.flatMap(({ node }) =>
    [...new Set(node.dependencies ?? [])]
      .filter((name) => names.has(name))
      .map((name) => ({ id: `${name}→${node.name}`, source: name, target: node.name, focusable: false })),
  )
  return { places, edges }
}
