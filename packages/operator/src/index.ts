// Controllers for custom resources: what authors of operators use.

export { k8s, SchemaError } from '@homeostat/schema/zod'
export { acceptedSpec, SpecCache } from './definition/accepted-spec.ts'
export {
  type CustomResourceDefinition,
  type DefinitionOptions,
  definitionManifest,
  describeDefinition,
} from './definition/definition-manifest.ts'
export type { KindNames } from './definition/kind-names.ts'
export { type ParsedSpec, parseSpec, type SpecProblem } from './definition/parse-spec.ts'
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
