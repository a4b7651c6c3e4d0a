// What is left of graphs: deletes those whose ttl has passed, gives parts to their graph, and deletes parts that no graph came
// for.

import type { Api } from '@homeostat/apiserver'
import type { ProcessGraph, ProcessGraphPart } from '@homeostat/executor/graphs'
import { type KubeObject, parseRfc3339 } from '@homeostat/meta'
import { GRAPH_PARTS, GRAPHS, keyOf } from '../kinds/resources.ts'
import type { BackgroundWrites } from '../time/background-writes.ts'

export interface EndedGraphParts {
  readonly api: Api
  readonly writes: BackgroundWrites
}

interface Doomed {
  readonly resource: typeof GRAPHS
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly at: number
}

/** A part without a graph is deleted after this. */
const ORPHAN_MS = 3_600_000
const RETRY_MS = 1000

export class EndedGraphs {
  readonly #parts: EndedGraphParts
  /** By uid. */
  readonly #doomed = new Map<string, Doomed>()
  /** The earliest of their times. */
  #next: number | undefined

  constructor(parts: EndedGraphParts) {
    this.#parts = parts
  }

  add({ metadata, spec, status }: ProcessGraph): void {
    const finishedAt = parseRfc3339(status?.finishedAt ?? '')
    const { ttlSecondsAfterFinished } = spec
    if (finishedAt === undefined || ttlSecondsAfterFinished === undefined) return
    this.#doom(GRAPHS, metadata, finishedAt + ttlSecondsAfterFinished * 1000)
  }

  delete(uid: string): void {
    this.#doomed.delete(uid)
  }

  /** A part may be there before its graph. */
  part({ namespace }: { readonly namespace: string }, object: KubeObject | undefined): void {
    if (object === undefined) return
    if ((object.metadata.ownerReferences ?? []).length > 0) {
      this.delete(object.metadata.uid ?? '')
      return
    }
    const { graph } = (object as unknown as ProcessGraphPart).spec
    const owner = this.#parts.api.get(GRAPHS, { namespace, name: graph }) as unknown as ProcessGraph | undefined
    if (owner?.spec.parts?.includes(object.metadata.name ?? '')) this.adopt(owner)
    else
      this.#doom(GRAPH_PARTS, object.metadata, (parseRfc3339(object.metadata.creationTimestamp ?? '') ?? 0) + ORPHAN_MS)
  }

  /** The parts of a graph are deleted with it. */
  adopt({ metadata, spec }: ProcessGraph): void {
    const { api, writes } = this.#parts
    const { namespace = '', name = '', uid = '' } = metadata
    const owner = { apiVersion: 'colonies.io/v1', kind: 'ProcessGraph', name, uid, controller: true }
    for (const part of spec.parts ?? []) {
      const owned = api.object(GRAPH_PARTS, { namespace, name: part })
      if (owned === undefined || owned.bytes.includes(uid)) continue
      const write = api.change(GRAPH_PARTS, { namespace, name: part }, (object) => {
        object.metadata.ownerReferences = [owner]
      })
      writes.add(
        write.then(() => {}),
        { part },
      )
    }
  }

  nextTime(): number | undefined {
    return this.#next
  }

  act(now: number): void {
    if (this.#next === undefined || now < this.#next) return
    const { api, writes } = this.#parts
    this.#next = undefined
    for (const doomed of [...this.#doomed.values()]) {
      const { resource, namespace, name, uid, at } = doomed
      const isDue = at <= now && writes.room > 0
      if (isDue)
        writes.add(api.delete(resource, { namespace, name }, { preconditions: { uid } }), { graph: keyOf(doomed) })
      this.#wait(isDue ? { ...doomed, at: now + RETRY_MS } : doomed)
    }
  }

  #doom(resource: typeof GRAPHS, { namespace = '', name = '', uid = '' }: KubeObject['metadata'], at: number): void {
    this.#wait({ resource, namespace, name, uid, at })
  }

  #wait(doomed: Doomed): void {
    this.#doomed.set(doomed.uid, doomed)
    if (this.#next === undefined || doomed.at < this.#next) this.#next = doomed.at
  }
}
