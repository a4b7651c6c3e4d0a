// How many objects of one resource there are in each namespace, and which of them are not ready. It holds their names alone: what they
// say is read from them when somebody asks.

import { readStored } from '@homeostat/meta/server'
import type { CachedObject } from '../cache/cached-object.ts'
import type { CachedChange } from '../cache/change-ring.ts'
import { type NotReady, notReady } from './readiness.ts'

export interface NamespaceCounts {
  count: number
  /** Names in the cache, and since when. */
  readonly notReady: Map<string, number>
}

const CONDITIONS = Buffer.from('"conditions":[')
const PHASE = Buffer.from('"phase":"')

export class KindCounts {
  /** By namespace; objects without one are in `''`. */
  readonly namespaces = new Map<string, NamespaceCounts>()

  add(object: CachedObject): void {
    const counts = this.#of(object.name)
    counts.count++
    this.#judge(counts, object)
  }

  apply({ object, previous }: CachedChange): void {
    const name = object?.name ?? previous?.name
    if (name === undefined) return
    const counts = this.#of(name)
    counts.count += Number(object !== undefined) - Number(previous !== undefined)
    counts.notReady.delete(name)
    if (object !== undefined) this.#judge(counts, object)
    if (counts.count === 0) this.namespaces.delete(namespaceOf(name))
  }

  #judge(counts: NamespaceCounts, object: CachedObject): void {
    const found = readiness(object)
    if (found !== undefined) counts.notReady.set(object.name, found.since)
  }

  #of(name: string): NamespaceCounts {
    const namespace = namespaceOf(name)
    let counts = this.namespaces.get(namespace)
    if (counts === undefined) {
      counts = { count: 0, notReady: new Map() }
      this.namespaces.set(namespace, counts)
    }
    return counts
  }
}

function namespaceOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf('/')))
}

/** Most objects say nothing of the kind, which their bytes show without parsing. */
export function readiness(object: CachedObject): NotReady | undefined {
  if (object.damage !== undefined) return { reason: 'Damaged', message: object.damage, since: 0 }
  const { bytes, metaEnd } = object
  if (bytes.indexOf(CONDITIONS, metaEnd) < 0 && bytes.indexOf(PHASE, metaEnd) < 0) return undefined
  return notReady(readStored(bytes, metaEnd))
}
