// A server that runs, as its owner sees it: the command, a test, an add-on's host.

import type { Duplex } from 'node:stream'
import type { Metric } from '@homeostat/base'
import type { AuthenticationSettings } from '../authn/settings.ts'
import type { Duties } from '../duties/duties.ts'
import type { TlsIdentity } from '../http/tls/tls-identity.ts'
import type { Held } from '../identity/held.ts'
import type { User } from '../identity/user.ts'
import type { LocalIdentity } from '../pipeline/local-api.ts'
import type { Api } from '../registry/api.ts'
import type { DeclaredRule } from '../registry/declared-rule.ts'
import type { Wake } from '../registry/first-of.ts'
import type { LocalWebhook } from '../webhook/webhook-client.ts'

export interface SecurePort {
  readonly address: { readonly host: string; readonly port: number }
  /**
   * Uses another identity from now on. Open connections stay, except those of clients whose authority is not trusted any
   * more. Throws an Error that says what is wrong with the identity, and then keeps the one it has.
   */
  update(identity: TlsIdentity): void
}

export interface ApiServer {
  /** The port is 0 when the server does not listen. */
  readonly address: { readonly host: string; readonly port: number }
  /** Undefined for a server without TLS. */
  readonly secure: SecurePort | undefined
  /** Publishes other certificates (PEM) by which clients verify this server: in the ConfigMap kube-root-ca.crt. */
  publishAuthorities(caBundle: string): void
  /** Opens an HTTP connection from inside this process. Its requests run as the user; default: the administrator. */
  connect(user?: User, held?: Held): Duplex
  /** The Api for code inside the server, without a connection. It may do everything. */
  api(identity: LocalIdentity, held?: Held): Api
  /** Replaces the option `authentication`, also for requests that are open. */
  configureAuthentication(settings: AuthenticationSettings): void
  /** A user for a program inside the server, which may do what it declares and what roles allow to its name. */
  account(identity: LocalIdentity, access: readonly DeclaredRule[], held?: Held): LocalAccount
  /**
   * Serves webhooks whose URL has this host in this process instead of on the network, until the returned function is called.
   * Gets the path and the JSON of a review, and returns the JSON of the answer.
   */
  serveWebhooks(host: string, webhook: LocalWebhook): () => void
  /** What one server of a store does at a time. */
  readonly duties: Pick<Duties, 'isShared' | 'lead' | 'leader'>
  /** Adds a metric to /metrics. */
  measure(metric: Metric): void
  /** Resolves when one of these objects exists, or the signal aborts. */
  firstOf(wakes: readonly Wake[], signal: AbortSignal): Promise<void>
  /**
   * Announces the end: `/readyz` fails from now on, and responses ask clients to take their next connection elsewhere. Everything
   * is still served, so that a balancer has the time to notice.
   */
  drain(): void
  /** Ends watches, lets requests in flight finish, and stops the controllers. Safe to call twice. */
  close(): Promise<void>
  /** Resolves when the server has ended, also after a failure of the store's change stream. */
  readonly done: Promise<void>
}

/** Two ways in for one program: as an Api, and for `connect`. */
export interface LocalAccount {
  readonly user: User
  readonly api: Api
}
