// Where things run, one driver each.

export type { LogOptions, Runtime, Unit, UnitState } from './runtime.ts'
