// Makes everything that TLS needs from the server's keys and the files that flags name: the serving certificate, the
// authorities of clients, and a certificate for the administrator's kubeconfig. Pure but for the keys it makes.

import type { MemberCredentials, TlsIdentity } from '@homeostat/apiserver'
import { MEMBERS, type Pki } from '@homeostat/apiserver/keys'
import type { Authority, IssuedCertificate, issueCertificate } from '@homeostat/pki'
import type { ServingNames } from './serving-names.ts'

export interface SecureParts {
  readonly pki: Pick<Pki, 'caCertificate' | 'issuingAuthority' | 'servingAuthority'>
  readonly names: ServingNames
  /** PEM texts of --tls-cert-file and --tls-private-key-file. */
  readonly own: IssuedCertificate | undefined
  /** PEM of --client-ca-file; empty for none. */
  readonly clientAuthorities: string
  /** Milliseconds. */
  readonly now: number
  issueCertificate: typeof issueCertificate
}

export interface SecureState {
  readonly identity: TlsIdentity
  /** PEM by which clients verify the server. */
  readonly caBundle: string
  readonly administrator: IssuedCertificate
  /** The name to verify instead of the address, where a certificate of one's own does not have the address. */
  readonly serverName: string | undefined
  /** When to make all this anew. */
  readonly renewAt: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LASTS_MS = 365 * DAY_MS
/** Long before the end, for servers that are off for weeks and clients that keep a copy of the kubeconfig. */
const RENEW_AFTER_MS = 240 * DAY_MS

export function makeSecureState({ pki, names, own, clientAuthorities, now, ...tools }: SecureParts): SecureState {
  const validity = validFrom(now)
  const issue = (authority: Authority, request: Omit<Parameters<typeof issueCertificate>[1], keyof typeof validity>) =>
    tools.issueCertificate(authority, { ...request, ...validity })
  const serving = issue(pki.servingAuthority, { commonName: 'homeostat-server', usage: 'server', ...names })
  const administrator = issue(pki.issuingAuthority, {
    commonName: 'homeostat-admin',
    organizations: ['system:masters'],
    usage: 'client',
  })
  const trusted = pki.caCertificate + clientAuthorities
  return {
    identity: { ...(own ?? serving), ...(own && { internal: serving }), clientAuthorities: trusted },
    caBundle: pki.caCertificate,
    administrator,
    serverName: own && 'localhost',
    renewAt: now + RENEW_AFTER_MS,
  }
}

/** `authorities` are those of the servers alone: a client's authority names no server. */
export function makeMemberCredentials(
  pki: Pick<Pki, 'caCertificate' | 'issuingAuthority'>,
  now: number,
  issue: typeof issueCertificate,
): MemberCredentials {
  const request = { commonName: 'system:homeostat:member', organizations: [MEMBERS], usage: 'client' as const }
  const issued = issue(pki.issuingAuthority, { ...request, ...validFrom(now) })
  return { ...issued, authorities: pki.caCertificate }
}

/** From an hour before, for those whose clocks are behind. */
function validFrom(now: number) {
  return { notBefore: new Date(now - HOUR_MS), notAfter: new Date(now + LASTS_MS) }
}
