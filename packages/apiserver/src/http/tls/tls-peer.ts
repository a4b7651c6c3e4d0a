// Where a TLS connection comes from: the client's certificate, verified during the handshake, and its address.

import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'
import type { TlsPeer } from '../../identity/peer.ts'

/** The handshake must be complete. */
export function tlsPeer(socket: TLSSocket): TlsPeer {
  const address = socket.remoteAddress ?? ''
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return { kind: 'tls', address }
  if (socket.authorized) return { kind: 'tls', address, certificate }
  return { kind: 'tls', address, certificateProblem: String(socket.authorizationError) }
}

/** The fingerprint of the authority at the end of the verified chain; undefined when the chain cannot be told. */
export function rootOf(socket: TLSSocket): string | undefined {
  // A connection that has just ended has none.
  let certificate: DetailedPeerCertificate | null = socket.getPeerCertificate(true)
  for (let depth = 0; depth < MAX_DEPTH && certificate !== null; depth++) {
    const { issuerCertificate }: DetailedPeerCertificate = certificate
    if (issuerCertificate === undefined) return undefined
    if (issuerCertificate === certificate) return certificate.fingerprint256
    certificate = issuerCertificate
  }
  return undefined
}

const MAX_DEPTH = 16
