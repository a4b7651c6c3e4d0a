// Executors: programs that pull processes from a colony's queue, run them and say how they ended.

export { executor } from './executor.ts'
export type { Log } from './log.ts'
export type { ExecutorFunction, ExecutorOptions, RunningExecutor } from './options.ts'
export { PermanentError, type ProcessContext } from './process-context.ts'
export * from './protocol.ts'
