// The back-off of a job after failed pods: the delay doubles with every failure since the last success. Pure.

import { parseRfc3339 } from '@homeostat/meta'
import type { Pod } from '../kinds.ts'

const FIRST_MS = 10_000
const LONGEST_MS = 600_000

/** Undefined when nothing failed since the last success. */
export function retryAt(pods: readonly Pod[]): number | undefined {
  const ends = pods.map((pod) => ({ phase: pod.status?.phase, at: endOf(pod) }))
  const lastSuccess = Math.max(0, ...ends.filter(({ phase }) => phase === 'Succeeded').map(({ at }) => at))
  const failures = ends.filter(({ phase, at }) => phase === 'Failed' && at >= lastSuccess)
  if (failures.length === 0) return undefined
  const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures.length - 1, 30))
  return Math.max(...failures.map(({ at }) => at)) + wait
}

/** When the last of its containers ended; its creation time if no container reports an end. */
function endOf({ metadata, status }: Pod): number {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
  const times = statuses.map(({ state }) => parseRfc3339(state?.terminated?.finishedAt ?? '') ?? 0)
  return Math.max(0, ...times) || (parseRfc3339(metadata.creationTimestamp ?? '') ?? 0)
}
