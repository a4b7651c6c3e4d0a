// Controllers for custom resources: what authors of operators use.

export type { Cluster } from './runtime/cluster.ts'
export type { Controlled, WatchRule } from './runtime/controlled.ts'
export { Terminal, terminal, Waiting, waiting } from './runtime/outcome.ts'
export type {
  Applied,
  Behaviour,
  ConditionInput,
  Conditions,
  Duration,
  EventInput,
  Log,
  Manifest,
  ObjectRef,
  Outcome,
  Result,
  Run,
} from './runtime/run.ts'
