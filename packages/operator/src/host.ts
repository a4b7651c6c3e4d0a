// The program that an operator runs in, when it is a tool: `homeostat synth` takes the description of a run instead of
// letting it start, `homeostat dev` hears what the operator does. Tools put a host into the global before they load the
// author's program; `run()` looks there. The symbol is global, so that two copies of this package find the same host.

import type { ApiObject } from '@homeostat/client'
import type { RequestInfo } from './access/request-info.ts'
import type { DefinitionChange } from './definition/definition-change.ts'
import type { NeededRule } from './runtime/access-rule.ts'

export interface OperatorHost {
  /** Takes what `run()` was called with; `run()` then does not start, and stays pending until it is closed. */
  describe?(description: RunDescription): void
  /** Gets a run when it starts. */
  started?(run: HostedRun): void
  /** Decides about a breaking change that the options of `run()` do not allow. */
  allowBreaking?(definition: string, changes: readonly DefinitionChange[]): boolean | Promise<boolean>
  /** A definition was created, updated, or found as it should be. Then `run()` does not log it. */
  installed?(definition: InstalledDefinition): void
  /** The operator made a request. Called for each one, so it must be quick. */
  requested?(request: RequestInfo): void
}

/** Plain data: it can be sent to another process. */
export interface RunDescription {
  /** The field manager of the operator. */
  readonly name: string
  readonly kinds: readonly { readonly apiVersion: string; readonly kind: string }[]
  /** The CustomResourceDefinitions of its kinds. */
  readonly definitions: readonly ApiObject[]
  /** Undefined: all namespaces. */
  readonly namespaces?: readonly string[] | undefined
  readonly leaderElection: boolean
  readonly shards: boolean
  /** Set for kinds with `validate`, `mutate` or older versions. */
  readonly webhooks?: DescribedWebhooks | undefined
  readonly health?: { readonly port: number; readonly host: string } | undefined
  /** How long its shutdown may take. */
  readonly shutdownMs: number
  /** Set for an operator that pulls its work from a colony. */
  readonly executorType?: string | undefined
  /** The rights that it needs, as far as they are declared. */
  readonly rules: readonly NeededRule[]
}

/** Where a run serves webhooks behind a Service. */
export interface DescribedWebhooks {
  readonly host: string
  readonly port: number
  /** The Service that the program names. Undefined: that of the environment. */
  readonly service?: { readonly namespace: string; readonly name: string; readonly port?: number } | undefined
}

/** A run as its host sees it. */
export interface HostedRun {
  readonly description: RunDescription
  /** Resolves when the operator works. Rejects when it cannot start. */
  readonly ready: Promise<void>
  /** Ends the run as its author would: reconciles may finish, and a lease is released. */
  close(): Promise<void>
}

export interface InstalledDefinition {
  readonly name: string
  /** As the server has it now, and as it was before an update. */
  readonly definition: ApiObject
  readonly previous?: ApiObject | undefined
  readonly written: 'created' | 'updated' | 'nothing'
  readonly changes: readonly DefinitionChange[]
  /** E.g. `versions[v1].spec.host is new`. */
  readonly differences: readonly string[]
}

const KEY = Symbol.for('homeostat.operator-host')

export function operatorHost(): OperatorHost | undefined {
  return (globalThis as { [KEY]?: OperatorHost })[KEY]
}

/** Undefined removes it. */
export function setOperatorHost(host: OperatorHost | undefined): void {
  ;(globalThis as { [KEY]?: OperatorHost | undefined })[KEY] = host
}
