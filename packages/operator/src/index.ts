// Controllers for custom resources: what authors of operators use.

export { k8s, SchemaError } from '@homeostat/schema/zod'
export { type ControllerParts, controller } from './controller.ts'
export { acceptedSpec, SpecCache } from './definition/accepted-spec.ts'
export { breakingChanges } from './definition/breaking-changes.ts'
export type { DefinitionChange } from './definition/definition-change.ts'
export {
  type CustomResourceDefinition,
  type DefinitionOptions,
  definitionManifest,
  describeDefinition,
} from './definition/definition-manifest.ts'
export {
  BreakingChangeError,
  type Installed,
  type InstallOptions,
  installDefinition,
} from './definition/install-definition.ts'
export type { KindNames } from './definition/kind-names.ts'
export { type ParsedSpec, parseSpec, type SpecProblem } from './definition/parse-spec.ts'
export type { EquipmentOptions, LeaderElectionOptions } from './equip.ts'
export type { Child, ChildBody, ChildOptions, Children, KnownObject } from './functional/child.ts'
export type { Context, FinalizeContext, Needed, NeedsOptions } from './functional/context.ts'
export {
  type OperatorDefinition,
  type OperatorEnds,
  type OperatorOptions,
  operator,
} from './functional/operator.ts'
export type { PruneGuard } from './functional/prune-plan.ts'
export type { Returned } from './functional/returned.ts'
export { watches } from './functional/watches.ts'
export type { HealthOptions } from './health/health-server.ts'
export type { PullOptions } from './pull/pull-options.ts'
export {
  CustomResource,
  type CustomResourceOptions,
} from './resources/custom-resource.ts'
export {
  type CustomResourceDefinitionOptions,
  type CustomResourceKind,
  createCustomResourceDefinition,
} from './resources/custom-resource-definition.ts'
export type { ResourceScope, SpecSchema, StatusOf, StatusSchema } from './resources/custom-resource-types.ts'
export type { OwnedResource } from './resources/owned-resource.ts'
export { type Patched, Resource } from './resources/resource.ts'
export type { ResourceEvent } from './resources/resource-events.ts'
export { ResourceReference } from './resources/resource-reference.ts'
export { type ResourceName, ResourceService } from './resources/resource-service.ts'
export { type ServiceClass, Services } from './resources/services.ts'
export { SubresourceError, type SubresourceResult } from './resources/subresources.ts'
export { type Runnable, type Running, type RunOptions, run } from './run.ts'
export type { CacheSelection } from './runtime/caches.ts'
export type { Cause } from './runtime/causes.ts'
export type { Cluster } from './runtime/cluster.ts'
export type { EventSink, FightDetector, Leadership, Observer } from './runtime/companions.ts'
export type { Controlled, WatchRule } from './runtime/controlled.ts'
export { Terminal, terminal, Waiting, waiting } from './runtime/outcome.ts'
export type {
  Applied,
  Behaviour,
  ConditionInput,
  Conditions,
  Duration,
  EventInput,
  Manifest,
  ObjectRef,
  Outcome,
  Result,
  Run,
} from './runtime/run.ts'
export { type Base64, base64 } from './runtime/secret-text.ts'
export { type EnsureSecretOptions, ensureSecret, rotateSecret } from './secrets/ensure-secret.ts'
export type { EnsuredSecret } from './secrets/ensured-secret.ts'
export type { SecretBody, SecretHandle } from './secrets/secret-handle.ts'
export type { SecretReference } from './secrets/secret-reference.ts'
export { SecretService } from './secrets/secret-service.ts'
