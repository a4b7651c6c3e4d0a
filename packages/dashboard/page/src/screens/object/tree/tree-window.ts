// Which boxes of a large tree the canvas holds: those that can be seen, those around them, and their owners. Pure. The canvas looks at all
// that it holds with each step, and 5,000 are too many for that.

import { BOX } from './layout.ts'
import type { TreeBox } from './plan.ts'
import type { Placed } from './use-layout.ts'

export interface Region {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Viewport {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

/** What a viewport shows, in the tree's own coordinates. */
export function regionOf({ x, y, zoom }: Viewport, width: number, height: number): Region {
  return { left: -x / zoom, top: -y / zoom, right: (width - x) / zoom, bottom: (height - y) / zoom }
}

/** With as much again on every side. */
export function grown({ left, top, right, bottom }: Region): Region {
  const [width, height] = [right - left, bottom - top]
  return { left: left - width, top: top - height, right: right + width, bottom: bottom + height }
}

export function holds(outer: Region, inner: Region): boolean {
  return (
    outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom
  )
}

/** In the order of the boxes, so that owners come first. */
export function boxesWithin({ boxes, places }: Placed, { left, top, right, bottom }: Region): TreeBox[] {
  const held = new Uint8Array(boxes.length)
  for (const [at, { id }] of boxes.entries()) {
    const place = places.get(id)
    if (place === undefined || place.x > right || place.x + BOX.width < left) continue
    if (place.y > bottom || place.y + BOX.height < top) continue
    for (let up = at; up >= 0 && held[up] === 0; up = boxes[up]?.parent ?? -1) held[up] = 1
  }
  return boxes.filter((_, at) => held[at] === 1)
}
