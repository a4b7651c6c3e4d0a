// Opens the TLS port of a server. The server loads this file only when it has one.

import { systemClock } from '@homeostat/base'
import type { Transport } from '../../exchange/transport.ts'
import type { Http1Server, RequestTimeouts } from '../http1-server.ts'
import type { PageGuard } from '../page-guard.ts'
import type { HandshakeLimits } from './handshake-gate.ts'
import type { TlsIdentity } from './tls-identity.ts'
import { TlsListener } from './tls-listener.ts'

export interface SecureParts {
  readonly host: string
  readonly port: number
  readonly identity: TlsIdentity
  readonly handshakes?: HandshakeLimits | undefined
  readonly handshakeMs?: number | undefined
  readonly http1: Http1Server
  /** Accepts the names of the serving certificate as hosts. */
  readonly pages: PageGuard
  handle(transport: Transport): void
  readonly maxConnections: number
  readonly timeouts: RequestTimeouts | undefined
}

export interface SecureListener {
  readonly address: { readonly host: string; readonly port: number }
  update(identity: TlsIdentity): void
  drain(): void
  close(): Promise<void>
}

const REQUEST_MS = 60_000

export async function listenSecurely({ host, port, pages, timeouts, ...parts }: SecureParts): Promise<SecureListener> {
  const listener = new TlsListener({ ...parts, clock: systemClock, requestMs: timeouts?.requestMs ?? REQUEST_MS })
  pages.serve(listener.names)
  return {
    address: { host, port: await listener.listen(host, port) },
    update(identity) {
      listener.update(identity)
      pages.serve(listener.names)
    },
    drain: () => listener.drain(),
    close: () => listener.close(),
  }
}
