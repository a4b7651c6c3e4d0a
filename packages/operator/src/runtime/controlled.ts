// What `run` takes: a kind and what is done about its objects. `controller()` makes one for a kind that is there
// already; `operator()` and `createCustomResourceDefinition()` make one that brings its definition along.

import type { ApiObject, InformerEvent } from '@homeostat/client'
import type { Duration } from '@homeostat/meta'
import type { Cluster } from './cluster.ts'
import type { Behaviour } from './run.ts'
import type { RunContext } from './run-context.ts'

export interface Controlled {
  readonly apiVersion: string
  readonly kind: string
  /** The CustomResourceDefinition that `run` installs before it starts. */
  readonly definition?: ApiObject | undefined
  /** Called once per process. */
  createBehaviour(cluster: Cluster): Behaviour<ApiObject, RunContext>
  /** Changes of other kinds that queue objects of this one, beyond what runs read. */
  readonly watches?: readonly WatchRule[]
  /** Whether a change of the object itself is worth a run. Default: all but changes of the status alone. */
  readonly predicate?: (change: InformerEvent<ApiObject>) => boolean
  /** Outcomes go to the object's status: Ready, observedGeneration. Default: whether there is a definition. */
  readonly reports?: boolean
  /** Only these objects are this controller's. */
  readonly select?: { readonly labelSelector?: string; readonly fieldSelector?: string }
  /** Every object is looked at again after so long without a run. Default: never. */
  readonly resync?: Duration
  /** A run that takes longer is aborted and counts as failed. Default 60 s. */
  readonly timeout?: Duration
}

export interface WatchRule {
  readonly apiVersion: string
  readonly kind: string
  /** The objects to queue for a changed one. It is asked for the old and the new state of it. */
  map(object: ApiObject): readonly { readonly name: string; readonly namespace?: string | undefined }[]
}
