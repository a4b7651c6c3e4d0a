// The controller of ReplicaSets: counts the pods of one and creates or deletes as many as `planReplicas` says.

import { messageOf } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { labelSelector } from '@homeostat/meta'
import type { Behaviour, Cluster, Controlled, Outcome, ReconcileContext } from '@homeostat/operator'
import { again } from '../again.ts'
import { createPods } from '../create-pods.ts'
import { type Pod, type ReplicaSet, requirementsOf } from '../kinds.ts'
import { candidates, claim, claimable } from '../ownership/claim.ts'
import { controllerOf, controllerReference } from '../ownership/claim-plan.ts'
import { writeStatus } from '../write-status.ts'
import { isActive, planReplicas, type ReplicaFailure, reportReplicas } from './replica-plan.ts'

/** Concurrent deletes. */
const REMOVE_TOGETHER = 16

export function replicaSetController(): Controlled {
  let controller: ReplicaSetController | undefined
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    reports: false,
    createBehaviour(cluster) {
      controller = new ReplicaSetController(cluster)
      return controller as Behaviour
    },
    watches: [{ apiVersion: 'v1', kind: 'Pod', map: (pod) => controller?.setsOf(pod) ?? [] }],
  }
}

class ReplicaSetController implements Behaviour<ReplicaSet> {
  readonly #cluster: Cluster
  readonly #sets
  readonly #pods

  constructor(cluster: Cluster) {
    this.#cluster = cluster
    this.#sets = claimable<ReplicaSet>(cluster, 'apps/v1', 'ReplicaSet')
    this.#pods = claimable<Pod>(cluster, 'v1', 'Pod')
  }

  async reconcile(run: ReconcileContext<ReplicaSet>): Promise<Outcome> {
    const set = run.object
    const active = candidates(this.#pods, set).filter(isActive)
    const own = await claim(this.#cluster, set, active, run.signal)
    const { create, remove } = planReplicas(set, own)
    const made = await this.#create(run, set, create)
    const removed = await this.#remove(run, remove)
    const pods = [...own.filter((pod) => !removed.pods.has(pod)), ...made.pods]
    const failure = made.failure ?? removed.failure
    const { status, requeueAfterMs } = reportReplicas(set, pods, failure?.report, run.clock.now())
    await writeStatus(this.#cluster, set, status, run.signal)
    if (failure) throw failure.error
    return again(requeueAfterMs)
  }

  async #create(
    run: ReconcileContext,
    set: ReplicaSet,
    count: number,
  ): Promise<{ pods: readonly Pod[]; failure?: Failure }> {
    const wanted = Array.from({ length: count }, () => podOf(set))
    const { pods, error } = await createPods(this.#cluster, run, wanted)
    if (error === undefined) return { pods }
    return { pods, failure: this.#failed(run, 'FailedCreate', 'Error creating', error) }
  }

  async #remove(run: ReconcileContext, pods: readonly Pod[]): Promise<{ pods: Set<Pod>; failure?: Failure }> {
    const removed = new Set<Pod>()
    for (let from = 0; from < pods.length; from += REMOVE_TOGETHER) {
      const results = await Promise.allSettled(
        pods.slice(from, from + REMOVE_TOGETHER).map(async (pod) => {
          const { name = '', namespace, uid = '' } = pod.metadata
          await this.#cluster.remove({ apiVersion: 'v1', kind: 'Pod', name, namespace }, { uid, signal: run.signal })
          removed.add(pod)
          run.event({ reason: 'SuccessfulDelete', message: `Deleted pod: ${name}`, action: 'Delete' })
        }),
      )
      const failed = results.find((result) => result.status === 'rejected')
      if (failed) return { pods: removed, failure: this.#failed(run, 'FailedDelete', 'Error deleting', failed.reason) }
    }
    return { pods: removed }
  }

  #failed(run: ReconcileContext, reason: ReplicaFailure['reason'], what: string, error: unknown): Failure {
    const message = messageOf(error)
    run.event({ type: 'Warning', reason, message: `${what}: ${message}` })
    return { error, report: { reason, message } }
  }

  /** The owner of a pod, or the sets that would adopt it. */
  setsOf(pod: ApiObject): { name: string; namespace: string | undefined }[] {
    const { namespace, labels } = pod.metadata
    const owner = controllerOf(pod)
    if (owner) return owner.kind === 'ReplicaSet' ? [{ name: owner.name, namespace }] : []
    return this.#sets
      .list(namespace)
      .filter(({ spec }) => labelSelector(requirementsOf(spec?.selector ?? {})).matches(labels))
      .map(({ metadata }) => ({ name: metadata.name ?? '', namespace }))
  }
}

interface Failure {
  readonly error: unknown
  readonly report: ReplicaFailure
}

function podOf(set: ReplicaSet): Pod {
  const { metadata = {}, spec = {} } = set.spec?.template ?? {}
  const { namespace } = set.metadata
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${set.metadata.name}-`,
      ...(namespace !== undefined && { namespace }),
      ...(metadata.labels && { labels: metadata.labels }),
      ...(metadata.annotations && { annotations: metadata.annotations }),
      ...(metadata.finalizers && { finalizers: metadata.finalizers }),
      ownerReferences: [controllerReference(set)],
    },
    spec,
  }
}
