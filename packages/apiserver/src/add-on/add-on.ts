// The contract of an add-on: a program inside the server with definitions, extensions and an identity. The command reads
// it from the default export of a module (`homeostat up --with MODULE`). Types only: an add-on needs no copy of this package
// when it runs.

import type { Log, Metric } from '@homeostat/base'
import type { ApiObject, Client } from '@homeostat/client'
import type { KubeObject } from '@homeostat/meta'
import type { FormerLeader } from '../identity/held.ts'
import type { User } from '../identity/user.ts'
import type { Api, ResourceName } from '../registry/api.ts'
import type { ApiExtension } from '../registry/api-extension.ts'
import type { DeclaredRule } from '../registry/declared-rule.ts'
import type { Wake } from '../registry/first-of.ts'
import type { TypeRules } from '../registry/type-rules.ts'
import type { LocalWebhook } from '../webhook/webhook-client.ts'

export interface AddOn {
  readonly name: string
  /** CustomResourceDefinitions that the server creates or updates when it starts. */
  readonly definitions?: readonly ApiObject[]
  /**
   * What its program reads and writes, through its client and its Api. Everything else is refused with 403 and logged, unless
   * roles allow it to its account, `system:serviceaccount:homeostat-system:NAME`. Default: nothing but discovery.
   */
  readonly access?: readonly DeclaredRule[]
  /** Objects that the server creates when it starts, unless they exist. */
  objects?(): Promise<readonly AddOnObject[]>
  /** Paths of the API that the add-on serves. */
  readonly extensions?: readonly ApiExtension[]
  /** Rules for writes to its kinds. */
  readonly rules?: readonly TypeRules[]
  /** The add-on starts with the first object of one of these resources; without `wakes`, with the server. */
  readonly wakes?: readonly Wake[]
  /**
   * Of several servers on a store one runs the program, and gets the calls of its extensions. `byNamespace`: there is one program for
   * each shard of the namespaces, and each runs on one server.
   */
  readonly split?: 'byNamespace'
  /** Runs until the signal aborts. After a failure, and after another server ran it, it is started again. */
  start?(client: Client, signal: AbortSignal, inside: Inside): Promise<void>
}

export type { DeclaredRule, LocalWebhook }

export interface AddOnObject {
  readonly resource: ResourceName
  readonly object: KubeObject & { metadata: { name: string } }
}

/** What an add-on gets in addition to a client, because it runs in the server's process. */
export interface Inside {
  /** Reads and writes without a connection, as the add-on's own user and field manager. */
  readonly api: Api
  /** The number of the shard that this program is for; undefined: all namespaces. */
  readonly shard: number | undefined
  /** The servers at other addresses that ran this program before, as far as it is kept; undefined where no others do. */
  readonly former: readonly FormerLeader[] | undefined
  /** A new client with the rights of this user, for what an add-on does on behalf of a caller. The add-on closes it. */
  clientAs(user: User): Promise<Client>
  /**
   * Serves webhooks in this process, without a port and certificates, until they are closed or the program ends. Undefined where
   * several servers share the store: the others would have to reach them.
   */
  readonly serveWebhooks: ((answer: LocalWebhook) => ServedWebhooks) | undefined
  readonly log: Log
  /** Adds a metric to those of the server. */
  measure(metric: Metric): void
}

export interface ServedWebhooks {
  /** `https://host`: what the URLs in configurations begin with. The same after every start. */
  readonly url: string
  close(): void
}
