// The entry `./batch`: jobs of HPC systems.

export type { BatchJob, BatchPhase, BatchReport, BatchState } from './batch-job.ts'
export { BatchRuntime, type BatchRuntimeOptions } from './batch-runtime.ts'
export { type BatchPrograms, type BatchSystem, type Command, withPrograms } from './batch-system.ts'
export { jobProblems } from './job-script.ts'
export { pbs } from './pbs.ts'
export { slurm } from './slurm.ts'
