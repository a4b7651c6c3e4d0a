// The job of a batch system that a SlurmJob asks for. Pure.

import type { BatchJob, BatchState } from '@homeostat/runtimes/batch'
import { type Fields, fieldsOf, listOf, numberOf, type Resource, textOf } from '../resource.ts'
import type { Read } from '../unused-fields.ts'

export const SLURM_JOB_FIELDS: Read = {
  partition: true,
  account: true,
  nodes: true,
  ntasks: true,
  cpusPerTask: true,
  gpusPerNode: true,
  memory: true,
  time: true,
  modules: true,
  environment: true,
  script: true,
  dependencies: true,
}

/** The name under which the job is found again: another one for each object, and for each generation of it. */
export function jobName({ name, uid, generation }: Resource): string {
  return `${name.slice(0, 100)}-${uid.slice(0, 8)}-${generation}`
}

/** The names of SlurmJobs that have to end first, by what is asked of them. */
export function dependencyNames({ dependencies }: Fields): [string, string[]][] {
  return Object.entries(fieldsOf(dependencies)).map(([kind, names]) => [kind, listOf(names).map(String)])
}

export function batchJob(resource: Resource, dependencies: Readonly<Record<string, readonly string[]>>): BatchJob {
  const { spec } = resource
  const job = {
    partition: textOf(spec.partition),
    account: textOf(spec.account),
    nodes: numberOf(spec.nodes),
    tasks: numberOf(spec.ntasks),
    cpusPerTask: numberOf(spec.cpusPerTask),
    gpusPerNode: numberOf(spec.gpusPerNode),
    memory: textOf(spec.memory),
    time: textOf(spec.time),
  }
  return {
    ...(Object.fromEntries(Object.entries(job).filter(([, value]) => value !== undefined)) as Partial<BatchJob>),
    name: jobName(resource),
    script: textOf(spec.script) ?? '',
    modules: listOf(spec.modules).map(String),
    environment: Object.fromEntries(
      Object.entries(fieldsOf(spec.environment)).map(([name, value]) => [name, String(value)]),
    ),
    dependencies,
  }
}

export function jobStatus({ id, phase, reason, exitCode }: BatchState, output: string): Fields {
  return {
    phase,
    jobId: id,
    ...(reason !== undefined && { reason }),
    ...(exitCode !== undefined && { exitCode }),
    ...(output !== '' && { output }),
  }
}
