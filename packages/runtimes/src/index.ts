// The runtimes: the contract, and one driver each for processes, Docker and simulation.

export { type DockerRuntimeOptions, openDockerRuntime } from './docker/docker-runtime.ts'
export { imageRegistry } from './docker/image-reference.ts'
export { LOG_FILES } from './log/log-files.ts'
export { isTrue, logOptions } from './log/log-query.ts'
export { formatRecord } from './log/log-record.ts'
export { readLog } from './log/read-log.ts'
export { openProcessRuntime, type ProcessRuntimeOptions } from './process/process-runtime.ts'
export type {
  ExecResult,
  LogOptions,
  PublishedPort,
  PullPolicy,
  RegistryLogin,
  Runtime,
  Unit,
  UnitState,
} from './runtime.ts'
export { SimulatedRuntime, type SimulatedRuntimeOptions } from './simulated/simulated-runtime.ts'
