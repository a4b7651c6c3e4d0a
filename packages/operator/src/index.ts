// Controllers for custom resources: the public API for authors of operators.

export { k8s, SchemaError } from '@homeostat/schema/zod'
export { controller } from './controller.ts'
export { breakingChanges } from './definition/breaking-changes.ts'
export type { DefinitionChange } from './definition/definition-change.ts'
export {
  type CustomResourceDefinition,
  definitionManifest,
  describeDefinition,
} from './definition/definition-manifest.ts'
export { BreakingChangeError, type Installed, installDefinition } from './definition/install-definition.ts'
export type { Child, Children, KnownObject } from './functional/child.ts'
export type { Context, FinalizeContext, Needed } from './functional/context.ts'
export type { FunctionalResult } from './functional/functional-outcome.ts'
export { type OperatorDefinition, operator } from './functional/operator.ts'
export { watches } from './functional/watches.ts'
export type { Admission, AdmissionFunctions, Problems } from './resources/admission.ts'
export { CustomResource, type CustomResourceOptions } from './resources/custom-resource.ts'
export { type CustomResourceKind, createCustomResourceDefinition } from './resources/custom-resource-definition.ts'
export type { SpecSchema, StatusOf, StatusSchema } from './resources/custom-resource-types.ts'
export { type OlderVersion, type OlderVersionOptions, olderVersion } from './resources/older-version.ts'
export type { OwnedResource } from './resources/owned-resource.ts'
export { type Patched, Resource } from './resources/resource.ts'
export type { ResourceEvent } from './resources/resource-events.ts'
export { ResourceReference } from './resources/resource-reference.ts'
export { ResourceService } from './resources/resource-service.ts'
export { Services } from './resources/services.ts'
export type { SubresourceResult } from './resources/subresources.ts'
export { type Runnable, type Running, type RunOptions, run } from './run.ts'
export type { AccessRule, PolicyRule } from './runtime/access-rule.ts'
export type { Cluster } from './runtime/cluster.ts'
export type { EventSink } from './runtime/companions.ts'
export type { Controlled } from './runtime/controlled.ts'
export type { AdmissionCall, AdmissionUser, KindWebhooks } from './runtime/kind-webhooks.ts'
export { Terminal, terminal, Waiting, waiting } from './runtime/outcome.ts'
export type {
  Applied,
  Behaviour,
  Conditions,
  Duration,
  EventInput,
  Manifest,
  ObjectRef,
  Outcome,
  ReconcileContext,
  Requeue,
} from './runtime/reconcile-context.ts'
export { type Base64, base64 } from './runtime/secret-text.ts'
export type { Trigger } from './runtime/triggers.ts'
export { ensureSecret } from './secrets/ensure-secret.ts'
export type { EnsuredSecret } from './secrets/ensured-secret.ts'
export type { SecretHandle } from './secrets/secret-handle.ts'
export type { SecretReference } from './secrets/secret-reference.ts'
export { SecretService } from './secrets/secret-service.ts'
export type { LocalAnswer, LocalWebhooks, WebhookOptions, WebhookService } from './webhooks/webhook-options.ts'
