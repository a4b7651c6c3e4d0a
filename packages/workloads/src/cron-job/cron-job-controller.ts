// The controller of CronJobs: makes the Job of each tick that is due, as `planCronJob` says, and removes old ones. The Job is made
// before the tick is recorded; after a crash in between it is found by its name.

import { messageOf } from '@homeostat/base'
import type { ApiObject, Informer } from '@homeostat/client'
import { isStatusError, rfc3339 } from '@homeostat/meta'
import type { Behaviour, Cluster, Controlled, Outcome, ReconcileContext } from '@homeostat/operator'
import { again } from '../again.ts'
import type { CronJob, CronJobStatus, Job, JobReference } from '../kinds.ts'
import { controllerOf } from '../ownership/claim-plan.ts'
import { writeOptions, writeStatus } from '../write-status.ts'
import { jobManifest } from './cron-job-manifest.ts'
import { endOf, planCronJob } from './cron-job-plan.ts'
import { cronJobTicks, zoneOfProcess } from './cron-job-ticks.ts'

const BY_CRON_JOB = 'workloads/cron-job'

/** `localZone`: of schedules that name no time zone. Default: that of this process. */
export function cronJobController(localZone = zoneOfProcess()): Controlled {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    reports: false,
    createBehaviour: (cluster) => new CronJobController(cluster, localZone) as Behaviour,
    watches: [{ apiVersion: 'batch/v1', kind: 'Job', map: cronJobsOf }],
  }
}

function cronJobsOf(job: ApiObject): { name: string; namespace: string | undefined }[] {
  const owner = controllerOf(job)
  return owner?.kind === 'CronJob' ? [{ name: owner.name, namespace: job.metadata.namespace }] : []
}

class CronJobController implements Behaviour<CronJob> {
  readonly #cluster: Cluster
  readonly #jobs: Informer<Job>
  readonly #localZone: string

  constructor(cluster: Cluster, localZone: string) {
    this.#cluster = cluster
    this.#localZone = localZone
    this.#jobs = cluster.informer<Job>('batch/v1', 'Job')
    this.#jobs.addIndex(BY_CRON_JOB, (job) => [controllerOf(job)?.uid ?? ''])
  }

  async reconcile(run: ReconcileContext<CronJob>): Promise<Outcome> {
    const cronJob = run.object
    const jobs = this.#jobs.byIndex(BY_CRON_JOB, cronJob.metadata.uid ?? '')
    const ticks = cronJobTicks(cronJob, this.#localZone)
    const plan = planCronJob(cronJob, jobs, ticks, run.clock.now())
    for (const job of plan.remove) await this.#remove(run, job.metadata)
    const status = plan.start ? await this.#start(run, plan.start, plan.status) : plan.status
    await writeStatus(this.#cluster, cronJob, status, run.signal)
    for (const event of plan.events) run.event(event)
    return again(plan.requeueAfterMs)
  }

  async #start(
    run: ReconcileContext<CronJob>,
    { tick, replaces }: { readonly tick: number; readonly replaces: readonly JobReference[] },
    status: CronJobStatus,
  ): Promise<CronJobStatus> {
    for (const job of replaces) await this.#remove(run, job)
    const active = (status.active ?? []).filter((one) => !replaces.includes(one))
    const job = await this.#create(run, jobManifest(run.object, tick))
    // Somebody else's Job has the name, or that of an earlier tick of the same minute: the tick has no Job, and is over.
    const isNew = job !== undefined && endOf(job) === undefined && active.every(({ uid }) => uid !== job.metadata.uid)
    const started = isNew ? [referenceOf(job)] : []
    const { active: _, ...rest } = status
    const now = [...active, ...started]
    return { ...(now.length > 0 && { active: now }), ...rest, lastScheduleTime: rfc3339(tick) }
  }

  async #create(run: ReconcileContext<CronJob>, manifest: Job): Promise<Job | undefined> {
    const access = run.client.resourceOf<Job>('batch/v1', 'Job')
    const { name = '', namespace } = manifest.metadata
    try {
      const job = await access.create(manifest, writeOptions(run))
      this.#cluster.wrote(job)
      run.event({ reason: 'SuccessfulCreate', message: `Created job ${name}`, action: 'Create' })
      return job
    } catch (error) {
      if (isStatusError(error, 'AlreadyExists')) {
        const job = await access.get({ name, namespace }, { signal: run.signal })
        if (controllerOf(job)?.uid === run.object.metadata.uid) return job
        const message = `Job ${name} exists and is not of this CronJob`
        run.event({ type: 'Warning', reason: 'FailedCreate', message })
        return undefined
      }
      const message = `Error creating job: ${messageOf(error)}`
      run.event({ type: 'Warning', reason: 'FailedCreate', message })
      throw error
    }
  }

  async #remove(run: ReconcileContext<CronJob>, { name = '', uid = '' }: JobReference): Promise<void> {
    const { namespace } = run.object.metadata
    try {
      const options = { preconditions: { uid }, propagationPolicy: 'Background' as const, signal: run.signal }
      await run.client.resourceOf<Job>('batch/v1', 'Job').delete({ name, namespace }, options)
      run.event({ reason: 'SuccessfulDelete', message: `Deleted job ${name}`, action: 'Delete' })
    } catch (error) {
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
    }
  }
}

function referenceOf({ apiVersion, kind, metadata }: Job): JobReference {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata
  return { apiVersion, kind, namespace, name, uid, resourceVersion }
}
