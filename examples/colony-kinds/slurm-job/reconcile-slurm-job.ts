// The function of the handler of SlurmJobs: submits the job once for each generation, reports how it goes, and cancels it when
// the object is deleted or its spec changes. It keeps nothing in memory.

import type { ExecutorFunction, ProcessContext } from '@homeostat/executor'
import { type BatchRuntime, jobProblems } from '@homeostat/runtimes/batch'
import { fieldsOf, type Observed, type Resource, readResource, refuse, textOf } from '../resource.ts'
import { type Condition, partiallySupported, unusedFields } from '../unused-fields.ts'
import { batchJob, dependencyNames, jobName, jobStatus, SLURM_JOB_FIELDS } from './slurm-job-plan.ts'

const LOOK_AGAIN = '5s'
/** The end of what a job printed is in its status. */
const OUTPUT_BYTES = 4096

export function reconcileSlurmJob(jobs: BatchRuntime): ExecutorFunction {
  return async (context) => {
    const resource = readResource(context.kwargs)
    const submitted = textOf(resource.status.jobName)
    const name = jobName(resource)
    if (submitted !== undefined && (resource.isDeleting || submitted !== name)) await remove(jobs, submitted)
    if (resource.isDeleting) return remove(jobs, name)
    const dependencies = await dependencyIds(context, resource)
    const conditions = [partiallySupported(unusedFields(resource.spec, SLURM_JOB_FIELDS))]
    if ('waitsFor' in dependencies) return waitFor(context, dependencies.waitsFor, conditions)
    const job = batchJob(resource, dependencies.ids)
    refuse(jobProblems(job).map((problem) => `spec.${problem}`))
    await jobs.submit(job)
    const state = await jobs.state(name)
    if (state === undefined) throw new Error(`the job ${name} was submitted and is not known`)
    context.status({ jobName: name, ...jobStatus(state, await jobs.output(name, OUTPUT_BYTES)), conditions })
    if (state.phase === 'Pending' || state.phase === 'Running') context.requeueAfter(LOOK_AGAIN)
  }
}

async function remove(jobs: BatchRuntime, name: string): Promise<void> {
  await jobs.cancel(name)
  await jobs.forget(name)
}

function waitFor(context: ProcessContext, name: string, others: readonly Condition[]): void {
  const ready = {
    type: 'Ready',
    status: 'False',
    reason: 'WaitingForDependency',
    message: `SlurmJob ${name} has no job yet`,
  }
  context.status({ phase: 'Pending', reason: 'WaitingForDependency', conditions: [ready, ...others] })
  context.requeueAfter(LOOK_AGAIN)
}

/** The batch system knows ids; a resource names other resources of its namespace. */
async function dependencyIds(
  { client, kwargs }: ProcessContext,
  { namespace, spec }: Resource,
): Promise<{ ids: Record<string, string[]> } | { waitsFor: string }> {
  const found = client.resourceOf<Observed>(textOf(kwargs.apiVersion) ?? '', textOf(kwargs.kind) ?? '')
  const ids: Record<string, string[]> = {}
  for (const [kind, names] of dependencyNames(spec)) {
    ids[kind] = []
    for (const name of names) {
      const id = textOf(fieldsOf((await found.find({ name, namespace }))?.status).jobId)
      if (id === undefined) return { waitsFor: name }
      ids[kind].push(id)
    }
  }
  return { ids }
}
