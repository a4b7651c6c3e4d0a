// Slurm: sbatch, squeue, scontrol and scancel. Accounting (sacct) is not needed: the exit code is in a file that the job's
// wrapper writes.

import type { BatchJob, BatchReport } from './batch-job.ts'
import type { BatchSystem } from './batch-system.ts'

export const slurm: BatchSystem = {
  name: 'slurm',
  directives: (job, { output }) => [
    `#SBATCH --job-name=${job.name}`,
    `#SBATCH --output=${output}`,
    '#SBATCH --open-mode=append',
    '#SBATCH --no-requeue',
    ...option('partition', job.partition),
    ...option('account', job.account),
    ...option('nodes', job.nodes),
    ...option('ntasks', job.tasks),
    ...option('cpus-per-task', job.cpusPerTask),
    ...option('gpus-per-node', job.gpusPerNode),
    ...option('mem', job.memory),
    ...option('time', job.time),
    ...dependencyLines(job),
  ],
  submit: (file) => ['sbatch', '--parsable', file],
  submittedId: (output) => /^(\d+)(?:;.*)?$/m.exec(output.trim())?.[1],
  find: (name) => ['squeue', '--noheader', '--format=%i', `--name=${name}`],
  foundIds: (output) =>
    output
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^\d+$/.test(line)),
  query: (id) => ['scontrol', '--oneliner', 'show', 'job', id],
  report: (output) => {
    const state = /\bJobState=(\S+)/.exec(output)?.[1]
    return state === undefined ? undefined : reportOf(state, /\bReason=(\S+)/.exec(output)?.[1])
  },
  isUnknown: (error) => error.includes('Invalid job id'),
  cancel: (id) => ['scancel', id],
}

const PENDING = ['PENDING', 'CONFIGURING', 'REQUEUED', 'REQUEUE_HOLD', 'REQUEUE_FED', 'SPECIAL_EXIT', 'RESV_DEL_HOLD']
const RUNNING = ['RUNNING', 'COMPLETING', 'SUSPENDED', 'STOPPED', 'SIGNALING', 'STAGE_OUT', 'RESIZING']

function reportOf(state: string, reason: string | undefined): BatchReport {
  const why = reason === undefined || reason === 'None' ? {} : { reason }
  if (PENDING.includes(state)) return { phase: 'Pending', ...why }
  if (RUNNING.includes(state)) return { phase: 'Running' }
  if (state === 'COMPLETED') return { phase: 'Succeeded' }
  if (state === 'CANCELLED') return { phase: 'Cancelled' }
  // TIMEOUT, OUT_OF_MEMORY, NODE_FAIL, DEADLINE and the like say why; the exit code says it of FAILED.
  return { phase: 'Failed', ...(state !== 'FAILED' && { reason: state }) }
}

function option(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`#SBATCH --${name}=${value}`]
}

function dependencyLines({ dependencies = {} }: BatchJob): string[] {
  const terms = Object.entries(dependencies).flatMap(([kind, ids]) =>
    ids.length === 0 ? [] : [`${kind}:${ids.join(':')}`],
  )
  return terms.length === 0 ? [] : [`#SBATCH --dependency=${terms.join(',')}`]
}
