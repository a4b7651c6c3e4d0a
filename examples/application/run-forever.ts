// An Application that keeps running: creates a Deployment, and derives status and conditions from that.

import { podLabels, podSpec, podTrouble, simulationNote, type Trouble } from './pod-template.ts'
import type { ApplicationContext, ApplicationStatus } from './schemas.ts'

export async function runForever(context: ApplicationContext) {
  const { name, spec, child, conditions, list } = context
  const labels = podLabels(name)
  const deployment = child('apps/v1', 'Deployment', {
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      strategy: { type: spec.strategy },
      template: { metadata: { labels }, spec: podSpec(name, context) },
    },
  })
  const live = await deployment.applied()
  const pods = await list('v1', 'Pod', { labels })
  const note = simulationNote(pods)
  const seen = observe(spec.replicas, live, podTrouble(pods))
  await conditions.set('Ready', {
    status: seen.ready ? 'True' : 'False',
    reason: seen.ready ? 'ReconciliationSucceeded' : (seen.failure?.reason ?? 'Progressing'),
    message: (seen.failure?.message ?? `${seen.status.readyReplicas} of ${spec.replicas} replicas are ready`) + note,
  })
  await conditions.set('Progressing', {
    status: seen.ready || seen.failure ? 'False' : 'True',
    reason: seen.ready ? 'ReplicaSetUpdated' : (seen.failure?.reason ?? 'ReplicaSetUpdating'),
    message: seen.ready ? 'the deployment is complete' : (seen.failure?.message ?? 'the deployment is under way'),
  })
  return { children: [deployment], status: seen.status }
}

interface Deployed {
  readonly metadata: { readonly generation?: number }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly readyReplicas?: number
    readonly updatedReplicas?: number
    readonly availableReplicas?: number
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[]
  }
}

export interface Seen {
  readonly status: ApplicationStatus
  readonly ready: boolean
  /** Why it does not become ready. */
  readonly failure: Trouble | undefined
}

/** Derives the Application's status from the Deployment's status and the trouble of its Pods. Pure. */
export function observe(wanted: number, { metadata, status = {} }: Deployed, trouble?: Trouble): Seen {
  const { replicas = 0, readyReplicas = 0, updatedReplicas = 0, availableReplicas = 0, conditions = [] } = status
  const current = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  const ready = current && [replicas, readyReplicas, updatedReplicas, availableReplicas].every((one) => one === wanted)
  const broken = conditions.find(
    ({ type, status: is }) =>
      (type === 'Progressing' && is === 'False') || (type === 'ReplicaFailure' && is === 'True'),
  )
  const stuck = broken && { reason: 'Failed', message: broken.message ?? `${broken.type} is ${broken.status}` }
  // The Pods know the cause; the Deployment knows only that its deadline has passed.
  const failure = current && !ready ? (trouble ?? stuck) : undefined
  const phase = ready ? 'Running' : failure === undefined ? 'Pending' : 'Failed'
  return { status: { replicas, readyReplicas, phase }, ready, failure }
}
