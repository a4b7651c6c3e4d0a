// The contract of a batch system: how jobs are written down, and the commands that submit, find, query and cancel them. A new
// system is one such value; everything else is shared. Pure.

import type { BatchJob, BatchReport } from './batch-job.ts'

/** Program and arguments. Never a text for a shell. */
export type Command = readonly [string, ...string[]]

export interface BatchSystem {
  readonly name: string
  /** The lines that tell the system what the job needs. Each value is one line of its own and cannot begin another. */
  directives(job: BatchJob, files: { readonly output: string }): string[]
  /** Submits the script of this file. */
  submit(file: string): Command
  /** The id in what `submit` printed. */
  submittedId(output: string): string | undefined
  /** Finds jobs that wait or run under this name. */
  find(name: string): Command
  /** The ids in what `find` printed; the name is checked again where the system cannot. */
  foundIds(output: string, name: string): string[]
  query(id: string): Command
  /** Undefined when the system does not know the job any more. */
  report(output: string): BatchReport | undefined
  /** Whether a failed query means that the job is not known any more. */
  isUnknown(error: string): boolean
  cancel(id: string): Command
}

/** Replaces the programs of a system: for a path of its own, a wrapper, or `ssh login-node sbatch`. */
export interface BatchPrograms {
  readonly submit?: Command
  readonly find?: Command
  readonly query?: Command
  readonly cancel?: Command
}

export function withPrograms(system: BatchSystem, programs: BatchPrograms): BatchSystem {
  const replaced = (own: Command | undefined, [program, ...args]: Command): Command =>
    own === undefined ? [program, ...args] : [...own, ...args]
  return {
    ...system,
    submit: (file) => replaced(programs.submit, system.submit(file)),
    find: (name) => replaced(programs.find, system.find(name)),
    query: (id) => replaced(programs.query, system.query(id)),
    cancel: (id) => replaced(programs.cancel, system.cancel(id)),
  }
}
