// The controller of Jobs: creates pods until enough of them succeeded, as `planJob` says, and counts every end once.

import { messageOf } from '@homeostat/base'
import type { ApiObject, Informer, ObjectName } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { Behaviour, Cluster, Controlled, Outcome, ReconcileContext } from '@homeostat/operator'
import { again } from '../again.ts'
import { createPods } from '../create-pods.ts'
import type { Job, Pod } from '../kinds.ts'
import { candidates, claim, claimable, isGone } from '../ownership/claim.ts'
import { controllerOf } from '../ownership/claim-plan.ts'
import { writeStatus } from '../write-status.ts'
import { isTracked, TRACKING } from './job-count.ts'
import { type JobPlan, planJob } from './job-plan.ts'
import { jobPod } from './job-pod.ts'

const OURS = 'kubernetes.io/job-controller'

export function jobController(): Controlled {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    reports: false,
    createBehaviour: (cluster) => new JobController(cluster) as Behaviour,
    watches: [{ apiVersion: 'v1', kind: 'Pod', map: jobsOf }],
  }
}

function jobsOf(pod: ApiObject): { name: string; namespace: string | undefined }[] {
  const owner = controllerOf(pod)
  return owner?.kind === 'Job' ? [{ name: owner.name, namespace: pod.metadata.namespace }] : []
}

class JobController implements Behaviour<Job> {
  readonly #cluster: Cluster
  readonly #jobs: Informer<Job>
  readonly #pods: Informer<Pod>

  constructor(cluster: Cluster) {
    this.#cluster = cluster
    this.#jobs = claimable<Job>(cluster, 'batch/v1', 'Job')
    this.#pods = claimable<Pod>(cluster, 'v1', 'Pod')
    void Promise.all([this.#jobs.whenSynced(), this.#pods.whenSynced()]).then(
      () => this.#releaseOrphans(),
      () => {},
    )
  }

  async reconcile(run: ReconcileContext<Job>): Promise<Outcome> {
    const job = run.object
    if ((job.spec?.managedBy ?? OURS) !== OURS) return
    const pods = await claim(this.#cluster, job, candidates(this.#pods, job), run.signal)
    const plan = planJob(job, pods, run.clock.now())
    // The status is written first: a pod must not be deleted before its end is counted there.
    await writeStatus(this.#cluster, job, plan.status, run.signal)
    for (const event of plan.events) run.event(event)
    for (const pod of plan.release) await this.#release(pod, run.signal)
    if (plan.expired) return this.#expire(run, job)
    await this.#remove(run, plan)
    const { error } = await createPods(
      this.#cluster,
      run,
      plan.create.map((index) => jobPod(job, index)),
    )
    if (error !== undefined) {
      const message = `Error creating: ${messageOf(error)}`
      run.event({ type: 'Warning', reason: 'FailedCreate', message })
      throw error
    }
    return again(plan.requeueAfterMs)
  }

  /** The garbage collector deletes its pods, which wait for their finalizer. */
  forget({ namespace }: ObjectName): void {
    void this.#releaseOrphans(namespace)
  }

  async #remove(run: ReconcileContext<Job>, { remove }: JobPlan): Promise<void> {
    for (const pod of remove) {
      const { name = '', namespace, uid = '' } = pod.metadata
      await this.#cluster.remove({ apiVersion: 'v1', kind: 'Pod', name, namespace }, { uid, signal: run.signal })
      run.event({ reason: 'SuccessfulDelete', message: `Deleted pod: ${name}`, action: 'Delete' })
    }
  }

  async #expire(run: ReconcileContext<Job>, { metadata }: Job): Promise<void> {
    const { name = '', namespace, uid = '' } = metadata
    try {
      const options = { preconditions: { uid }, propagationPolicy: 'Background' as const, signal: run.signal }
      await run.client.resourceOf<Job>('batch/v1', 'Job').delete({ name, namespace }, options)
    } catch (error) {
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
    }
  }

  /** Pods that still have the finalizer of a deleted job. */
  async #releaseOrphans(namespace?: string): Promise<void> {
    for (const pod of this.#pods.list(namespace).filter(isTracked)) {
      const owner = controllerOf(pod)
      const job = owner && this.#jobs.get({ name: owner.name, namespace: pod.metadata.namespace })
      if (job && job.metadata.uid === owner.uid) continue
      try {
        await this.#release(pod)
      } catch (error) {
        const { name, namespace } = pod.metadata
        this.#cluster.log.error({ err: error, name, namespace }, 'a pod of a job that is gone keeps its finalizer')
      }
    }
  }

  async #release(pod: Pod, signal?: AbortSignal): Promise<void> {
    const { name = '', namespace, uid } = pod.metadata
    const patch = { metadata: { uid, '$deleteFromPrimitiveList/finalizers': [TRACKING] } }
    try {
      const access = this.#cluster.client.resourceOf<Pod>('v1', 'Pod')
      const options = {
        type: 'strategic' as const,
        fieldManager: this.#cluster.fieldManager,
        ...(signal && { signal }),
      }
      const released = await access.patch({ name, namespace }, patch, options)
      this.#cluster.wrote(released)
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
}
