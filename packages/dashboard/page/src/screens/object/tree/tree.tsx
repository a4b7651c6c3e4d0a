// The tree of an object: its owners and everything below, with how each is. It follows changes and keeps its place.

import { ReactFlowProvider } from '@xyflow/react'
import { useCallback, useMemo, useState } from 'react'
import type { LiveObject } from '../../../live/object.ts'
import { useOwnerGraph } from '../../../live/owner-graph.ts'
import { Banner } from '../../../parts/banner.tsx'
import { useObjectSearch } from '../use-object-search.ts'
import { planTree } from './plan.ts'
import { TreeCanvas } from './tree-canvas.tsx'
import './tree.css'
import { useLayout } from './use-layout.ts'

export function Tree({ object }: { readonly object: LiveObject }) {
  const { uid, namespace } = object.metadata
  const graph = useOwnerGraph(namespace)
  const [{ only }, change] = useObjectSearch()
  const onlyUnwell = only === 'unwell'
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState(uid)
  const plan = useMemo(
    () => planTree(graph.nodes, { focus: uid, onlyUnwell, opened }),
    [graph.nodes, uid, onlyUnwell, opened],
  )
  const placed = useLayout(plan.boxes)
  const toggle = useCallback((id: string) => {
    setAnchor(id)
    setOpened((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }, [])
  return (
    <div className="object-part">
      <div className="toolbar">
        <label>
          <input
            type="checkbox"
            checked={onlyUnwell}
            onChange={(event) => change({ only: event.target.checked ? 'unwell' : undefined })}
          />{' '}
          only what is not ready
        </label>
        {plan.isGrouped && <span className="quiet">More than 300: those of one kind stand in groups, which open.</span>}
        <span className="space" />
        <span role="status" className="quiet">
          {graph.phase === 'loading' ? 'Looking …' : `${plan.objects} objects, ${plan.unwell} not ready`}
        </span>
      </div>
      {graph.missing.map((one) => (
        <Banner key={one} tone="plain">
          {one}
        </Banner>
      ))}
      {placed.boxes.length > 0 && (
        <ReactFlowProvider>
          <TreeCanvas
            placed={placed}
            focus={uid}
            namespace={namespace}
            anchor={anchor}
            opened={opened}
            onToggle={toggle}
          />
        </ReactFlowProvider>
      )}
    </div>
  )
}
