// What `run` takes: a kind and its behaviour. `controller()` makes one for a kind that the server already has;
// `operator()` and `createCustomResourceDefinition()` make one with its definition.

import type { ApiObject, InformerEvent } from '@homeostat/client'
import type { Duration } from '@homeostat/meta'
import type { AccessRule } from './access-rule.ts'
import type { Cluster } from './cluster.ts'
import type { KindWebhooks } from './kind-webhooks.ts'
import type { Behaviour } from './reconcile-context.ts'
import type { RunContext } from './run-context.ts'

export interface Controlled {
  readonly apiVersion: string
  readonly kind: string
  /** The CustomResourceDefinition that `run` installs at startup. */
  readonly definition?: ApiObject | undefined
  /** Called once per process. */
  createBehaviour(cluster: Cluster): Behaviour<ApiObject, RunContext>
  /** Changes of other kinds that queue objects of this one, in addition to what reconciles read. */
  readonly watches?: readonly WatchRule[]
  /** Whether a change of the object itself is worth a reconcile. Default: all except changes of the status alone. */
  readonly predicate?: (change: InformerEvent<ApiObject>) => boolean
  /** Whether outcomes are written to the status (Ready, observedGeneration). Default: true with a definition. */
  readonly reports?: boolean
  /** Whether a run that wrote something gets an Event. Default true; false for runs that are heartbeats. */
  readonly tellsRuns?: boolean
  /** Limits the controller to these objects. */
  readonly select?: { readonly labelSelector?: string; readonly fieldSelector?: string }
  /** Reconciles every object again after this time. Default: never. */
  readonly resync?: Duration
  /** A reconcile that takes longer is aborted and fails. Default 60 s. */
  readonly timeout?: Duration
  /**
   * The kinds of its children, e.g. `apps/v1/Deployment`. The rights to read, apply and prune them follow, in the roles that
   * `homeostat synth` writes; nothing changes at run time.
   */
  readonly children?: readonly string[]
  /**
   * Rights that its reconciles need beyond the kind itself and its children: what it reads. They change nothing at run time;
   * `homeostat synth` writes them into roles. Wildcards are refused.
   */
  readonly access?: readonly AccessRule[]
  /** What it answers when the API server asks before it stores an object; `run` serves and registers it. */
  readonly webhooks?: KindWebhooks | undefined
  /** Whether its behaviour has a `cleanup`, and so a finalizer. Says so before the behaviour is created. */
  readonly cleansUp?: boolean
}

export interface WatchRule {
  readonly apiVersion: string
  readonly kind: string
  /** The objects to queue for a changed one. Called with its old and its new state. */
  map(object: ApiObject): readonly { readonly name: string; readonly namespace?: string | undefined }[]
}
