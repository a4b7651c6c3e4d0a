// Executors: programs that pull processes from a colony's queue, run them and report their outcomes. The wire format is in
// `./protocol`.

export { executor } from './executor.ts'
export { ExecutorEndedError, isExecutorEndedError } from './executor-ended-error.ts'
export type { ExecutorFunction, ExecutorOptions, RunningExecutor } from './options.ts'
export { PermanentError, type ProcessContext } from './process-context.ts'
export type { Process, ProcessOutcome } from './protocol.ts'
export { type NewProcess, type Submitter, type SubmitterOptions, submitter } from './submitter.ts'
