// A job for a batch system, in the words that Slurm and PBS share.

export interface BatchJob {
  /** Unique: a second submit under this name finds the first. Letters, digits, `.`, `_` and `-`. */
  readonly name: string
  /** Runs on the first node; a first line `#!…` names its interpreter, otherwise /bin/sh. */
  readonly script: string
  readonly partition?: string
  readonly account?: string
  readonly nodes?: number
  readonly tasks?: number
  readonly cpusPerTask?: number
  readonly gpusPerNode?: number
  /** For each node, such as `256G`. */
  readonly memory?: string
  /** The longest it may take, as HOURS:MINUTES:SECONDS. */
  readonly time?: string
  /** Loaded with `module load` before the script runs. */
  readonly modules?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Ids of jobs that have to end first, by what is asked of them: afterok, afterany, afternotok, after. */
  readonly dependencies?: Readonly<Record<string, readonly string[]>>
}

export type BatchPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Cancelled'

/** What a batch system says of a job that it still knows. */
export interface BatchReport {
  readonly phase: BatchPhase
  /** Why it waits or failed, in the system's words. */
  readonly reason?: string
}

export interface BatchState extends BatchReport {
  readonly id: string
  readonly exitCode?: number
}
