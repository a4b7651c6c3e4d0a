// What a server is started with. Nothing here is read after the start.

import type { Clock, Log } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import type { Store } from '@homeostat/store'
import type { AuthenticationSettings } from '../authn/settings.ts'
import type { RequestTimeouts } from '../http/http1-server.ts'
import type { InFlightLimits } from '../http/in-flight.ts'
import type { LocalUsers } from '../http/local-users.ts'
import type { Site } from '../http/site.ts'
import type { HandshakeLimits } from '../http/tls/handshake-gate.ts'
import type { TlsIdentity } from '../http/tls/tls-identity.ts'
import type { MemberCredentials } from '../peers/peer-sessions.ts'
import type { Pki } from '../pki/pki.ts'
import type { AdmissionStep } from '../registry/admission-step.ts'
import type { ApiExtension } from '../registry/api-extension.ts'
import type { TypeRules } from '../registry/type-rules.ts'

export interface ApiServerOptions {
  readonly store: Store
  /** A loopback address, for plain HTTP. */
  readonly host: string
  /** 0 picks a free port. Undefined does not listen; then `connect` is the only way in. */
  readonly port: number | undefined
  /** A TLS port. Default: none. */
  readonly secure?: SecureOptions | undefined
  /** Default: nothing is logged. */
  readonly logger?: Log | undefined
  /** CustomResourceDefinitions to create or update before the server is ready. */
  readonly definitions?: readonly KubeObject[]
  /** The server's own keys. Default: new ones for the lifetime of the server. */
  readonly pki?: Pki
  /** The files of these keys by their names, which a new server of the same store gets for a join token. Default: nobody gets them. */
  readonly joinFiles?: (() => Readonly<Record<string, string>>) | undefined
  /** Which credentials are accepted besides those of the server's own keys. Default: none. */
  readonly authentication?: AuthenticationSettings | undefined
  /** How long an Event is kept after its last write. Default: an hour. */
  readonly eventTtlMs?: number | undefined
  /** The most changes that `GET /events` returns. Default 1000. */
  readonly eventsLimit?: number | undefined
  /** The users of this machine that may connect. Default: on Linux its own user and root; elsewhere all. */
  readonly localUsers?: LocalUsers | undefined
  /** Further origins whose pages may use the server from a browser, such as http://localhost:5173. Default: none. */
  readonly allowOrigins?: readonly string[] | undefined
  /** Pages that are served beside the API. Default: none. */
  readonly site?: Site | undefined
  /** Limits of requests in flight. Others wait, and get 429 when that takes too long. */
  readonly inFlight?: InFlightLimits | undefined
  /** The most connections from the network; more are closed at once. Default 20,000. */
  readonly maxConnections?: number | undefined
  /** How long a client may take to send a request. Default: 30 s for its head, 60 s for all of it. */
  readonly timeouts?: RequestTimeouts | undefined
  /** Creates the default roles only after the server is ready: for tests, which seldom need them. */
  readonly rolesLater?: boolean
  /** Parts of the API that extensions serve. */
  readonly extensions?: readonly ApiExtension[]
  /** Rules of add-ons for writes of their kinds. */
  readonly rules?: readonly TypeRules[]
  /** Steps to add to the write pipeline, such as mutations, policies, quotas, an audit. They run in this order. */
  readonly admission?: readonly AdmissionStep[]
  /** How webhooks are called. */
  readonly webhooks?: WebhookOptions | undefined
  /** This server among those of one store. Only read on a store that is shared. */
  readonly member?: MemberOptions | undefined
  /** The clock of objects and controllers. Default: the system's. */
  readonly clock?: Clock
}

export interface MemberOptions {
  /** Of this process alone: two that share one would take turns. Default: the machine's name and random digits. */
  readonly id?: string | undefined
  /** The https URL under which the other servers reach this one. Default: its TLS port, at the address or the name of this machine. */
  readonly address?: string | undefined
  /** What it proves itself with to them. Without it calls that another server leads are not answered here. */
  credentials?(): MemberCredentials
}

export interface WebhookOptions {
  /** False calls no admission webhooks: for when one of them refuses what is needed to repair it. Default: true. */
  readonly admission?: boolean | undefined
  /** Addresses and networks that webhooks may have although they are link-local, of a metadata service or reserved. */
  readonly allowAddresses?: readonly string[] | undefined
  /** Where webhooks of Services are reached: `host:port` by `namespace/name`. Default: at the Service's endpoints. */
  readonly services?: Readonly<Record<string, string>> | undefined
}

/** A TLS port, with HTTP/1.1 and HTTP/2. */
export interface SecureOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly identity: TlsIdentity
  /** Limits of handshakes. Default: 500 at once of each address, then 100 per second. */
  readonly handshakes?: HandshakeLimits | undefined
  /** How long a handshake may take. Default 10 s. */
  readonly handshakeMs?: number | undefined
}
