// Chooses the node of a pod, and thereby its runtime. Pure. A pod that names neither gets the default runtime; resources
// and affinity are not considered. The messages are those of kube-scheduler.

import type { Node, Pod, PodSpec, Taint, Toleration } from '../kinds.ts'
import { type NodeRuntime, nodeName } from '../node/runtime-node.ts'

/** A runtime with its node; the node may be missing for a moment. */
export interface Place {
  readonly runtime: NodeRuntime
  readonly node: Pick<Node, 'metadata' | 'spec'>
}

export type Placement =
  /** The pod is bound to another server's node, or has scheduling gates. */
  | { readonly act: 'leave' }
  | { readonly act: 'refuse'; readonly message: string }
  | { readonly act: 'bind'; readonly node: string }
  | { readonly act: 'run'; readonly runtime: string }

/** `places` has the default runtime first. */
export function placePod({ spec = {} }: Pod, places: readonly Place[]): Placement {
  const runtime = runtimeOf(spec, places)
  if (spec.nodeName && runtime === undefined) {
    if (!places.some((place) => nodeOf(place) === spec.nodeName)) return { act: 'leave' }
  } else if (spec.nodeName && runtime !== undefined) return { act: 'run', runtime }
  if ((spec.schedulingGates ?? []).length > 0) return { act: 'leave' }
  const { runtimeClassName } = spec
  const names = places.map((place) => place.runtime.name)
  if (runtimeClassName && !names.includes(runtimeClassName)) {
    const message = `runtimeClassName "${runtimeClassName}" is not known here: use one of ${names.join(', ')}, or leave it out for ${names[0]}`
    return { act: 'refuse', message }
  }
  const possible = candidates(spec, places)
  const found = possible.find((place) => obstacle(spec, place) === undefined)
  return found ? { act: 'bind', node: nodeOf(found) } : { act: 'refuse', message: refusal(spec, possible) }
}

/** The runtime of a bound pod; undefined when its node is not one of this server, or its runtime class is unknown. */
export function runtimeOf(
  { nodeName: bound, runtimeClassName }: PodSpec,
  places: readonly Place[],
): string | undefined {
  const place = places.find((one) => nodeOf(one) === bound)
  if (place === undefined) return undefined
  if (!runtimeClassName) return place.runtime.name
  return places.some(({ runtime }) => runtime.name === runtimeClassName) ? runtimeClassName : undefined
}

/** Only a pod that selects a node by name or labels leaves the default: others must not become real processes by chance. */
function candidates({ runtimeClassName, nodeSelector = {} }: PodSpec, places: readonly Place[]): readonly Place[] {
  if (runtimeClassName) return places.filter(({ runtime }) => runtime.name === runtimeClassName)
  return Object.keys(nodeSelector).length > 0 ? places : places.slice(0, 1)
}

function nodeOf({ runtime }: Place): string {
  return nodeName(runtime)
}

/** Why a pod cannot run there. */
function obstacle({ nodeSelector = {}, tolerations = [] }: PodSpec, { node }: Place): string | undefined {
  const { labels = {} } = node.metadata
  const missing = Object.entries(nodeSelector).filter(([key, value]) => labels[key] !== value)
  if (missing.length > 0) {
    const wanted = missing.map(([key, value]) => `${key}=${value}`).join(', ')
    return `node(s) didn't match Pod's node affinity/selector (${wanted})`
  }
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule')
  const taint = taints.find((one) => !tolerations.some((toleration) => tolerates(toleration, one)))
  if (taint && taint.key !== UNSCHEDULABLE) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`
  return taint || node.spec?.unschedulable === true ? 'node(s) were unschedulable' : undefined
}

const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable'

function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false
  if (!key) return operator === 'Exists'
  return key === taint.key && (operator === 'Exists' || value === (taint.value ?? ''))
}

function refusal(spec: PodSpec, places: readonly Place[]): string {
  const counts = new Map<string, number>()
  for (const place of places) {
    const reason = obstacle(spec, place) ?? ''
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`)
  return `0/${places.length} nodes are available: ${reasons.join(', ')}`
}
