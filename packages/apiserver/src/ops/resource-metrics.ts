// How many objects of each resource there are, and in which conditions. Counts come from the cache at every scrape;
// conditions from the objects that changed since the last one, so that a server that nobody scrapes pays nothing.

import { type Metric, Numbers, TimeSlice } from '@homeostat/base'
import { isObject, type KubeObject } from '@homeostat/meta'
import { readStored } from '@homeostat/meta/server'
import type { CachedObject } from '../cache/cached-object.ts'
import type { WatchCache } from '../cache/watch-cache.ts'

/** Conditions of one object, as `type\0status`. */
type Conditions = readonly string[]

const NONE: Conditions = []
const MARK = Buffer.from('"conditions":[')
/** Names of conditions are chosen by users; further ones count as `other`. */
const MOST_TYPES = 20
const STATUSES: ReadonlySet<string> = new Set(['True', 'False', 'Unknown'])

export class ResourceMetrics implements Metric {
  readonly #cache: WatchCache
  /** Goes with its object: a write makes another. The row `scrape` of 10,000 unchanged objects gains by it. */
  readonly #known = new WeakMap<CachedObject, Conditions>()
  #counts = ''

  constructor(cache: WatchCache) {
    this.#cache = cache
  }

  /** Counts anew, yielding to the event loop. */
  async refresh(): Promise<void> {
    const objects = new Numbers('gauge', {
      name: 'homeostat_resources',
      help: 'Objects by resource.',
      labels: ['group', 'resource'],
    })
    const conditions = new Numbers('gauge', {
      name: 'homeostat_resource_conditions',
      help: 'Objects by resource, condition and its status.',
      labels: ['group', 'resource', 'condition', 'status'],
    })
    const slice = new TimeSlice()
    for (const { storage, tree } of [...this.#cache.resources]) {
      if (tree.size === 0) continue
      const [group = '', resource = ''] = storage.split('/')
      objects.child(group, resource).set(tree.size)
      const types = new Set<string>()
      for (const object of tree.snapshot().objects()) {
        for (const condition of this.#conditionsOf(object)) {
          const [type = '', status = ''] = condition.split('\0')
          if (types.size < MOST_TYPES) types.add(type)
          conditions.child(group, resource, types.has(type) ? type : 'other', status).add()
        }
        const others = slice.next()
        if (others !== undefined) await others
      }
    }
    this.#counts = objects.render() + conditions.render()
  }

  render(): string {
    return this.#counts
  }

  #conditionsOf(object: CachedObject): Conditions {
    const known = this.#known.get(object)
    if (known !== undefined) return known
    const read = object.damage === undefined ? readConditions(object) : NONE
    this.#known.set(object, read)
    return read
  }
}

/** Most objects have none, which their bytes show without parsing. */
function readConditions(object: CachedObject): Conditions {
  const { bytes, metaEnd } = object
  if (bytes.indexOf(MARK, metaEnd) < 0) return NONE
  return conditionsOf(readStored(bytes, metaEnd))
}

function conditionsOf({ status }: KubeObject): Conditions {
  const list = isObject(status) && Array.isArray(status.conditions) ? status.conditions : []
  const found = list.flatMap((condition: unknown) => {
    if (!isObject(condition) || typeof condition.type !== 'string' || !STATUSES.has(String(condition.status))) return []
    return [`${condition.type}\0${condition.status}`]
  })
  return found.length === 0 ? NONE : found
}
