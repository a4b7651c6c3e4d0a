// Computes layouts beside the page, so that a large tree does not stop it.

import { layoutTree } from './layout.ts'

export interface LayoutRequest {
  readonly id: number
  readonly parents: Int32Array
}

export interface LayoutAnswer {
  readonly id: number
  readonly places: Float64Array
}

addEventListener('message', ({ data: { id, parents } }: MessageEvent<LayoutRequest>) => {
  const answer: LayoutAnswer = { id, places: layoutTree(parents) }
  postMessage(answer, { transfer: [answer.places.buffer] })
})
