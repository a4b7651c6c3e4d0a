// An Application that ends by itself: creates Pods that are not restarted, and derives status and conditions from them.

import { createHash } from 'node:crypto'
import { podLabels, podSpec, podTrouble, simulationNote } from './pod-template.ts'
import type { ApplicationContext, ApplicationStatus } from './schemas.ts'

export async function runOnce(context: ApplicationContext) {
  const { name, spec, child, conditions } = context
  const body = { ...podSpec(name, context), restartPolicy: 'Never' as const }
  // Pods are immutable: a changed program gets Pods with other names, and the old ones are deleted.
  const mark = createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 8)
  const pods = Array.from({ length: spec.replicas }, (_, index) =>
    child(
      'v1',
      'Pod',
      { metadata: { labels: podLabels(name) }, spec: body },
      { name: `${name}-${mark}-${index}`, readyWhen: ({ status }) => status?.phase === 'Succeeded' },
    ),
  )
  const live = await Promise.all(pods.map((pod) => pod.applied()))
  const note = simulationNote(live)
  const seen = count(live.map(({ status }) => status?.phase))
  const { succeeded, failed, status } = seen
  const done = succeeded + failed === spec.replicas
  const trouble = podTrouble(live)
  await conditions.set('Ready', {
    status: status.phase === 'Succeeded' || status.phase === 'Running' ? 'True' : 'False',
    reason: failed > 0 ? 'Failed' : done ? 'ReconciliationSucceeded' : (trouble?.reason ?? 'Progressing'),
    message: `${succeeded} of ${spec.replicas} have succeeded, ${failed} have failed${note}${trouble ? `; ${trouble.message}` : ''}`,
  })
  await conditions.set('Progressing', {
    status: done ? 'False' : 'True',
    reason: done ? 'Finished' : 'Running',
    message: done ? 'all have ended' : `${spec.replicas - succeeded - failed} have not ended`,
  })
  return { children: pods, status }
}

interface Counted {
  readonly succeeded: number
  readonly failed: number
  readonly status: ApplicationStatus
}

/** Derives the Application's status from the phases of its Pods: one failure makes it Failed, success needs all. Pure. */
export function count(phases: readonly (string | undefined)[]): Counted {
  const of = (phase: string) => phases.filter((one) => one === phase).length
  const [running, succeeded, failed] = [of('Running'), of('Succeeded'), of('Failed')]
  const phase =
    failed > 0
      ? 'Failed'
      : succeeded === phases.length
        ? 'Succeeded'
        : running + succeeded === phases.length
          ? 'Running'
          : 'Pending'
  return { succeeded, failed, status: { replicas: phases.length, readyReplicas: running, phase } }
}
