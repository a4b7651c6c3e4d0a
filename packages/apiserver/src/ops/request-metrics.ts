// Counts requests and their durations. The HTTP layer calls it once per request, so that it has to be cheap: it finds
// the counters of a resource by its type and not by labels.
// Label values come from the ResourceTypes and from fixed lists, never from the request itself.

import { type Count, type Distribution, Histogram, type Metric, Numbers } from '@homeostat/base'
import type { ResourceType } from '../registry/resource-type.ts'

export type ResourceLabels = Pick<ResourceType, 'group' | 'version' | 'resource'>

/** Seconds. Reads fall into the first buckets, durable writes into the middle, throttled requests into the last. */
const DURATION_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** The metric names of Kubernetes, which its dashboards expect. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ['get', 'GET'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
  ['create', 'POST'],
  ['update', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETECOLLECTION'],
])
const SUBRESOURCES = new Set(['', 'status', 'scale', 'finalize'])
/** The label for requests outside the resource API, such as discovery and health. */
const NO_RESOURCE: ResourceLabels = { group: '', version: '', resource: '' }

export class RequestMetrics {
  readonly #total = new Numbers('counter', {
    name: 'apiserver_request_total',
    help: 'Requests answered, by verb, resource and HTTP status.',
    labels: ['verb', 'group', 'version', 'resource', 'subresource', 'code'],
  })
  readonly #seconds = new Histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer. Watches are not counted.',
    labels: ['verb', 'resource'],
    bounds: DURATION_BOUNDS,
    maxChildren: 1_000,
  })
  readonly #byType = new WeakMap<ResourceLabels, Map<string, Series>>()
  readonly metrics: readonly Metric[] = [this.#total, this.#seconds]

  /**
   * Counts one response. `resource` is the type that served it, undefined outside the resource API; `verb` is the one
   * of RBAC (`list`, not `GET`); `seconds` is undefined when the duration has no meaning, as for a watch.
   */
  count(
    resource: ResourceLabels | undefined,
    verb: string,
    subresource: string,
    code: number,
    seconds: number | undefined,
  ): void {
    const series = this.#series(resource ?? NO_RESOURCE, verb, subresource)
    let answers = series.codes.get(code)
    if (!answers) {
      answers = this.#total.child(...series.labels, String(code))
      series.codes.set(code, answers)
    }
    answers.value++
    if (seconds !== undefined) series.seconds.observe(seconds)
  }

  #series(type: ResourceLabels, verb: string, subresource: string): Series {
    let known = this.#byType.get(type)
    if (!known) {
      known = new Map()
      this.#byType.set(type, known)
    }
    const key = subresource === '' ? verb : `${verb}/${subresource}`
    const series = known.get(key)
    if (series) return series
    const made = this.#make(type, verb, subresource)
    // Values outside the fixed lists share one counter and are not cached: they may be anything.
    if (VERBS.has(verb) && SUBRESOURCES.has(subresource)) known.set(key, made)
    return made
  }

  #make(type: ResourceLabels, asked: string, subresource: string): Series {
    const verb = VERBS.get(asked) ?? 'other'
    const part = SUBRESOURCES.has(subresource) ? subresource : 'other'
    return {
      labels: [verb, type.group, type.version, type.resource, part],
      codes: new Map(),
      seconds: this.#seconds.child(verb, type.resource),
    }
  }
}

interface Series {
  readonly labels: readonly string[]
  readonly codes: Map<number, Count>
  readonly seconds: Distribution
}
