// Where things run, one driver each.

export { openProcessRuntime, type ProcessRuntimeOptions } from './process/process-runtime.ts'
export type { LogOptions, Runtime, Unit, UnitState } from './runtime.ts'
export { type SimulatedClock, SimulatedRuntime, type SimulatedRuntimeOptions } from './simulated/simulated-runtime.ts'
