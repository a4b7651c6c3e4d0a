// The canvas of a tree: pans and zooms by mouse, touch and keys. Only boxes that can be seen are in the document.

import { Background, Controls, type Edge, ReactFlow, useReactFlow, type Viewport } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { BOX } from './layout.ts'
import { type BoxNode, boxTypes } from './tree-box.tsx'
import { boxesWithin, grown, holds, type Region, regionOf } from './tree-window.ts'
import type { Placed } from './use-layout.ts'

export interface TreeCanvasProps {
  readonly placed: Placed
  readonly focus: string
  readonly namespace: string | undefined
  /** The box that stays where it is when others move. */
  readonly anchor: string
  readonly opened: ReadonlySet<string>
  readonly onToggle: (id: string) => void
}

/** So many can be read at once. */
const FITS = 40
/** Above it the canvas holds what is near alone. */
const LARGE = 500
const NEAR_PX = 2000
const WHOLE = { maxZoom: 1, minZoom: 0.62, padding: 0.08 }
const STEP_PX = 80
const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [STEP_PX, 0],
  ArrowRight: [-STEP_PX, 0],
  ArrowUp: [0, STEP_PX],
  ArrowDown: [0, -STEP_PX],
}
const SIZE = { width: BOX.width, height: BOX.height }
const HANDLES = [
  { type: 'target', position: 'left', x: 0, y: BOX.height / 2, width: 1, height: 1 },
  { type: 'source', position: 'right', x: BOX.width, y: BOX.height / 2, width: 1, height: 1 },
] as unknown as NonNullable<BoxNode['handles']>

export function TreeCanvas({ placed, focus, namespace, anchor, opened, onToggle }: TreeCanvasProps) {
  const flow = useReactFlow()
  const { boxes, places } = placed
  const place = useRef<HTMLElement>(null)
  const [region, setRegion] = useState<Region>()
  const isLarge = boxes.length > LARGE
  const held = useMemo(
    () => (isLarge ? boxesWithin(placed, region ?? around(placed, focus)) : boxes),
    [placed, boxes, isLarge, region, focus],
  )
  const nodes = useMemo(
    () =>
      held.map((box): BoxNode => {
        const position = places.get(box.id) ?? { x: 0, y: 0 }
        const data = { box, namespace, isFocus: box.id === focus, isOpen: opened.has(box.id), onToggle }
        // Sizes and handles are known: nothing has to be laid out and measured first.
        return { id: box.id, type: 'box', position, data, ...SIZE, measured: SIZE, handles: HANDLES }
      }),
    [held, places, namespace, focus, opened, onToggle],
  )
  const edges = useMemo(
    () =>
      held.flatMap((box): Edge[] => {
        const parent = boxes[box.parent]
        return parent === undefined ? [] : [{ id: `${parent.id} ${box.id}`, source: parent.id, target: box.id }]
      }),
    [held, boxes],
  )
  const before = useRef(places)
  const isMoved = useRef(false)
  const isSmall = boxes.length <= FITS
  useLayoutEffect(() => {
    const [old, now] = [before.current.get(anchor), places.get(anchor)]
    before.current = places
    // Until somebody moves it, a small tree is shown whole; after that, and in a large one, the anchor stays where it is.
    if (isSmall && !isMoved.current) void flow.fitView(WHOLE)
    else if (old !== undefined && now !== undefined && (old.x !== now.x || old.y !== now.y)) {
      const { x, y, zoom } = flow.getViewport()
      void flow.setViewport({ x: x + (old.x - now.x) * zoom, y: y + (old.y - now.y) * zoom, zoom })
    }
  }, [places, anchor, flow, isSmall])

  function note(viewport: Viewport) {
    const { clientWidth = 0, clientHeight = 0 } = place.current ?? {}
    const seen = regionOf(viewport, clientWidth, clientHeight)
    if (isLarge && (region === undefined || !holds(region, seen))) setRegion(grown(seen))
  }

  function pan(event: KeyboardEvent) {
    const step = KEYS[event.key]
    if (step === undefined) return
    event.preventDefault()
    isMoved.current = true
    const { x, y, zoom } = flow.getViewport()
    void flow.setViewport({ x: x + step[0], y: y + step[1], zoom })
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a place that moves must be reachable by keyboard
    <section ref={place} className="tree" aria-label="Tree; the arrow keys move it" tabIndex={0} onKeyDown={pan}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={boxTypes}
        onInit={() => {
          const at = places.get(focus) ?? { x: 0, y: 0 }
          if (isSmall) void flow.fitView(WHOLE)
          else void flow.setCenter(at.x + BOX.width, at.y + BOX.height / 2, { zoom: 0.9 })
        }}
        onMove={(_, viewport) => note(viewport)}
        onMoveStart={(event) => {
          if (event !== null) isMoved.current = true
        }}
        onlyRenderVisibleElements
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        panOnScroll
        minZoom={0.05}
        maxZoom={1.5}
      >
        <Background />
        <Controls showInteractive={false} showFitView={!isLarge} />
      </ReactFlow>
    </section>
  )
}

/** Before the canvas has moved to it. */
function around({ places }: Placed, focus: string): Region {
  const { x, y } = places.get(focus) ?? { x: 0, y: 0 }
  return { left: x - NEAR_PX, top: y - NEAR_PX, right: x + NEAR_PX, bottom: y + NEAR_PX }
}
