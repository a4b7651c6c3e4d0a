// Creates pods for a controller. The first pod goes alone: an error that all pods share then costs one request.

import type { Cluster, ReconcileContext } from '@homeostat/operator'
import type { Pod } from './kinds.ts'
import { writeOptions } from './write-status.ts'

export interface CreatedPods {
  readonly pods: readonly Pod[]
  /** Why not all of them were created. */
  readonly error?: unknown
}

export async function createPods(
  cluster: Cluster,
  run: ReconcileContext,
  wanted: readonly Pod[],
): Promise<CreatedPods> {
  const access = run.client.resourceOf<Pod>('v1', 'Pod')
  const pods: Pod[] = []
  for (let batch = 1; pods.length < wanted.length; batch *= 2) {
    const next = wanted.slice(pods.length, pods.length + batch)
    const results = await Promise.allSettled(next.map((pod) => access.create(pod, writeOptions(run))))
    for (const result of results) {
      if (result.status !== 'fulfilled') continue
      cluster.wrote(result.value)
      pods.push(result.value)
      const message = `Created pod: ${result.value.metadata.name}`
      run.event({ reason: 'SuccessfulCreate', message, action: 'Create' })
    }
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) return { pods, error: failed.reason }
  }
  return { pods }
}
