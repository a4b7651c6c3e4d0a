// Listens for TLS 1.2 and 1.3 and passes each connection on by the protocol that ALPN chose. Certificates can be replaced
// while connections stay. It is loaded only by a server that has a TLS port.

import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net'
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContext,
  type TLSSocket,
  type Server as TlsServer,
} from 'node:tls'
import type { Clock } from '@homeostat/base'
import type { Transport } from '../../exchange/transport.ts'
import type { Http1Server } from '../http1-server.ts'
import type { ServedNames } from '../page-guard.ts'
import { HANDSHAKE_LIMITS, HandshakeGate, type HandshakeLimits } from './handshake-gate.ts'
import { Http2Sessions } from './http2-sessions.ts'
import { type ReadIdentity, readIdentity, type TlsIdentity } from './tls-identity.ts'
import { rootOf, tlsPeer } from './tls-peer.ts'

export interface TlsListenerOptions {
  readonly identity: TlsIdentity
  readonly http1: Pick<Http1Server, 'accept'>
  /** Handles requests of HTTP/2. */
  handle(transport: Transport): void
  readonly clock: Clock
  /** Connections beyond it are closed at once. */
  readonly maxConnections: number
  /** How long a client may take to send a request's body. */
  readonly requestMs: number
  readonly handshakes?: HandshakeLimits | undefined
  /** How long a handshake may take. Default 10 s. */
  readonly handshakeMs?: number | undefined
}

const HANDSHAKE_MS = 10_000
const PROTOCOLS = ['h2', 'http/1.1']

export class TlsListener {
  readonly #net: NetServer
  readonly #tls: TlsServer
  readonly #gate: HandshakeGate
  readonly #http2: Http2Sessions
  readonly #http1: TlsListenerOptions['http1']
  /** Connections before the end of their handshake, by their two ends: the TLS socket does not name its socket. */
  readonly #shaking = new Map<string, Handshake>()
  /** Connections whose client has a verified certificate. */
  readonly #certified = new Set<TLSSocket>()
  #identity: ReadIdentity
  #internal: SecureContext | undefined
  #closed = false

  /** Throws an Error when a part of the identity is not valid. */
  constructor(options: TlsListenerOptions) {
    this.#identity = readIdentity(options.identity)
    this.#internal = internalContext(options.identity)
    this.#http1 = options.http1
    this.#http2 = new Http2Sessions(options.handle, options.clock, options.requestMs)
    this.#gate = new HandshakeGate(options.clock, options.handshakes ?? HANDSHAKE_LIMITS)
    this.#tls = createTlsServer({
      ...context(options.identity),
      ALPNProtocols: PROTOCOLS,
      SNICallback: (name, found) => found(null, this.#identity.isInternal(name) ? this.#internal : undefined),
      // A client without a certificate has other credentials, or is anonymous. One with a bad certificate gets a 401.
      requestCert: true,
      rejectUnauthorized: false,
      handshakeTimeout: options.handshakeMs ?? HANDSHAKE_MS,
    })
    this.#tls.on('secureConnection', (socket) => this.#accept(socket))
    this.#tls.on('tlsClientError', (_, socket) => socket.destroy())
    this.#net = createServer({ noDelay: true, pauseOnConnect: true })
    this.#net.maxConnections = options.maxConnections
    this.#net.on('connection', (socket) => this.#shake(socket))
  }

  /** The names and addresses of the serving certificate. */
  get names(): ServedNames {
    return this.#identity.names
  }

  /** Resolves to the port. */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#net.once('error', reject)
      this.#net.listen(port, host, () => {
        this.#net.off('error', reject)
        resolve()
      })
    })
    return (this.#net.address() as AddressInfo).port
  }

  /**
   * Uses another identity for connections from now on. Open ones stay, except those whose certificate is of an authority
   * that is no longer trusted. Throws an Error, and changes nothing, when a part of it is not valid.
   */
  update(identity: TlsIdentity): void {
    const next = readIdentity(identity)
    const internal = internalContext(identity)
    this.#tls.setSecureContext(context(identity))
    this.#internal = internal
    const before = this.#identity
    this.#identity = next
    const removed = [...before.authorities].filter((fingerprint) => !next.authorities.has(fingerprint))
    if (removed.length === 0) return
    for (const socket of this.#certified) {
      const root = rootOf(socket)
      if (root === undefined || !next.authorities.has(root)) socket.destroy()
    }
  }

  /** Connections of HTTP/2 are to end when their streams have. */
  drain(): void {
    this.#http2.drain()
  }

  /** Accepts no new connections, and resolves when those of HTTP/2 have ended. Those of HTTP/1.1 are the server's. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true
      this.#net.close()
      this.#gate.close()
      for (const { socket } of this.#shaking.values()) socket.destroy()
    }
    await this.#http2.close()
  }

  #shake(socket: Socket): void {
    const { remoteAddress } = socket
    const ends = endsOf(socket)
    const handshake: Handshake = { socket, done: ignore }
    this.#shaking.set(ends, handshake)
    socket.once('close', () => {
      handshake.done()
      if (this.#shaking.get(ends) === handshake) this.#shaking.delete(ends)
    })
    socket.on('error', ignore)
    // The client may be gone already.
    if (remoteAddress === undefined) {
      socket.destroy()
      return
    }
    this.#gate.arrive(remoteAddress, {
      get isGone() {
        return socket.destroyed
      },
      refuse: () => socket.resetAndDestroy(),
      start: (done) => {
        handshake.done = done
        this.#tls.emit('connection', socket)
      },
    })
  }

  #accept(socket: TLSSocket): void {
    const ends = endsOf(socket)
    this.#shaking.get(ends)?.done()
    this.#shaking.delete(ends)
    if (this.#closed) {
      socket.destroy()
      return
    }
    const peer = tlsPeer(socket)
    if (peer.certificate !== undefined) {
      this.#certified.add(socket)
      socket.once('close', () => this.#certified.delete(socket))
    }
    if (socket.alpnProtocol === 'h2') this.#http2.accept(socket, peer)
    else this.#http1.accept(socket, peer)
  }
}

interface Handshake {
  readonly socket: Socket
  /** Tells the gate that the handshake has ended. */
  done: () => void
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`
}

function ignore(): void {}

function internalContext({ internal, clientAuthorities }: TlsIdentity): SecureContext | undefined {
  return internal && createSecureContext(context({ ...internal, clientAuthorities }))
}

/** A new context has new keys for session tickets, so that no session resumes with a trust that has ended. */
function context({ certificate, key, clientAuthorities }: TlsIdentity) {
  return {
    cert: certificate,
    key,
    // An empty list would mean the well-known authorities.
    ca: clientAuthorities === '' ? [certificate] : clientAuthorities,
    minVersion: 'TLSv1.2' as const,
    maxVersion: 'TLSv1.3' as const,
  }
}
