// Executors: programs that pull processes from a colony's queue, run them and say how they ended.

export type { Duration } from '@homeostat/meta'
export { executor } from './executor.ts'
export { ExecutorEndedError } from './executor-ended.ts'
export type { ExecutorFunction, ExecutorOptions, RunningExecutor } from './options.ts'
export { PermanentError, type ProcessContext } from './process-context.ts'
export {
  type AssignAnswer,
  type AssignRequest,
  type Attempt,
  type CloseRequest,
  COLONIES,
  type Executor,
  type ExecutorSpec,
  type ExecutorStatus,
  type Finished,
  HANDLER_ANNOTATION,
  HANDLER_FINALIZER,
  type Handler,
  HEARTBEAT_SECONDS,
  type HeartbeatAnswer,
  type HeartbeatRequest,
  LOST_SECONDS,
  type LogQuery,
  PAUSED_ANNOTATION,
  type Phase,
  type Process,
  type ProcessConditions,
  type ProcessSpec,
  type ProcessStatus,
  RECONCILE_ANNOTATION,
  RESOURCE_LABELS,
} from './protocol.ts'
