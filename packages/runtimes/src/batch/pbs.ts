// PBS and its relatives (OpenPBS, PBS Professional, Torque): qsub, qselect, qstat and qdel.

import type { BatchJob, BatchReport } from './batch-job.ts'
import type { BatchSystem } from './batch-system.ts'

export const pbs: BatchSystem = {
  name: 'pbs',
  directives: (job, { output }) => [
    `#PBS -N ${job.name}`,
    `#PBS -o ${output}`,
    '#PBS -j oe',
    '#PBS -r n',
    ...option('-q', job.partition),
    ...option('-A', job.account),
    ...selection(job),
    ...option('-l', job.time === undefined ? undefined : `walltime=${job.time}`),
    ...dependencyLines(job),
  ],
  submit: (file) => ['qsub', file],
  submittedId: (output) => /^(\d+(?:\[\])?(?:\.\S+)?)$/m.exec(output.trim())?.[1],
  find: (name) => ['qselect', '-N', name],
  foundIds: (output) =>
    output
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^\d/.test(line)),
  // -x: also jobs that have ended, while the server remembers them.
  query: (id) => ['qstat', '-x', '-f', id],
  report: (output) => {
    const state = /^\s*job_state = (\S)/m.exec(output)?.[1]
    if (state === undefined) return undefined
    return reportOf(state, /^\s*Exit_status = (-?\d+)/m.exec(output)?.[1], /^\s*comment = (.+)$/m.exec(output)?.[1])
  },
  isUnknown: (error) => /Unknown Job Id|has finished/i.test(error),
  cancel: (id) => ['qdel', id],
}

function reportOf(state: string, exit: string | undefined, comment: string | undefined): BatchReport {
  if ('QHWTM'.includes(state)) return { phase: 'Pending', ...(comment !== undefined && { reason: comment.trim() }) }
  if ('RESBU'.includes(state)) return { phase: 'Running' }
  if (exit === undefined) return { phase: 'Cancelled' }
  // 256 and more: a signal ended it. 271 is SIGTERM, which qdel sends.
  if (exit === '271') return { phase: 'Cancelled' }
  return exit === '0' ? { phase: 'Succeeded' } : { phase: 'Failed', reason: `exit status ${exit}` }
}

function option(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`#PBS ${flag} ${value}`]
}

function selection({ nodes = 1, tasks, cpusPerTask, gpusPerNode, memory }: BatchJob): string[] {
  const perNode = tasks === undefined ? undefined : Math.ceil(tasks / nodes)
  const parts = [
    `select=${nodes}`,
    ...(perNode !== undefined || cpusPerTask !== undefined ? [`ncpus=${(perNode ?? 1) * (cpusPerTask ?? 1)}`] : []),
    ...(perNode === undefined ? [] : [`mpiprocs=${perNode}`]),
    ...(gpusPerNode === undefined ? [] : [`ngpus=${gpusPerNode}`]),
    ...(memory === undefined ? [] : [`mem=${memory.toLowerCase().endsWith('b') ? memory : `${memory}b`}`]),
  ]
  return [`#PBS -l ${parts.join(':')}`]
}

function dependencyLines({ dependencies = {} }: BatchJob): string[] {
  const terms = Object.entries(dependencies).flatMap(([kind, ids]) =>
    ids.length === 0 ? [] : [`${kind}:${ids.join(':')}`],
  )
  return terms.length === 0 ? [] : [`#PBS -W depend=${terms.join(',')}`]
}
