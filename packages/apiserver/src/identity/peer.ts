// Where a connection comes from. The transport of a request has one, and authentication starts from it; nothing else
// behind the transport asks which port or protocol a request used.

import type { X509Certificate } from 'node:crypto'
import type { Held } from './held.ts'
import type { User } from './user.ts'

export type Peer = InternalPeer | LocalPeer | TlsPeer

/** A connection inside this process; its user was set when it was opened. */
export interface InternalPeer {
  readonly kind: 'internal'
  readonly user: User
  /** What its writes stand on: the duty of the program that opened it. */
  readonly held?: Held | undefined
}

/** Plain HTTP on loopback, from a user of this machine that the guard let in. */
export interface LocalPeer {
  readonly kind: 'local'
}

export interface TlsPeer {
  readonly kind: 'tls'
  /** The client's certificate, verified against the client CAs during the handshake. Its end may have passed since. */
  readonly certificate?: X509Certificate | undefined
  /** Why the certificate that the client sent is not accepted. It then has no `certificate`, and is not anonymous. */
  readonly certificateProblem?: string | undefined
  /** The client's IP address. */
  readonly address: string
}

/** All local connections are alike. */
export const LOCAL_PEER: LocalPeer = { kind: 'local' }
