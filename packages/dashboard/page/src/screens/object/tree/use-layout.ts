// The places of a plan's boxes, computed by a worker, anew only when boxes come, go or change their owner.

import { useEffect, useRef, useState } from 'react'
import type { LayoutAnswer, LayoutRequest } from './layout-worker.ts'
import type { TreeBox } from './plan.ts'

export interface Placed {
  readonly boxes: readonly TreeBox[]
  /** By the id of a box. */
  readonly places: ReadonlyMap<string, { readonly x: number; readonly y: number }>
}

const NONE: Placed = { boxes: [], places: new Map() }

export function useLayout(boxes: readonly TreeBox[]): Placed {
  const [placed, setPlaced] = useState(NONE)
  const worker = useRef<Worker>(undefined)
  const newest = useRef(0)
  useEffect(() => {
    const started = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
    worker.current = started
    return () => started.terminate()
  }, [])
  useEffect(() => {
    const { current } = worker
    if (current === undefined || boxes.length === 0) return
    if (sameShape(boxes, placed.boxes)) {
      if (boxes !== placed.boxes) setPlaced({ boxes, places: placed.places })
      return
    }
    const id = ++newest.current
    const take = ({ data }: MessageEvent<LayoutAnswer>) => {
      if (data.id !== newest.current || data.id !== id) return
      const at = (index: number) => ({ x: data.places[2 * index] ?? 0, y: data.places[2 * index + 1] ?? 0 })
      setPlaced({ boxes, places: new Map(boxes.map((box, index) => [box.id, at(index)])) })
    }
    current.addEventListener('message', take)
    const request: LayoutRequest = { id, parents: Int32Array.from(boxes, ({ parent }) => parent) }
    current.postMessage(request, [request.parents.buffer])
    return () => current.removeEventListener('message', take)
  }, [boxes, placed])
  return placed
}

function sameShape(a: readonly TreeBox[], b: readonly TreeBox[]): boolean {
  return a.length === b.length && a.every(({ id, parent }, at) => b[at]?.id === id && b[at]?.parent === parent)
}
