// Users by their client certificate: CN is the name, each O a group. The handshake verified the certificate; here it is checked
// at every request that one of the authorities of now issued it, for clients, and that its time has not ended.

import { X509Certificate } from 'node:crypto'
import { AUTHENTICATED, type User } from '../identity/user.ts'

export interface ClientCertificatesParts {
  /** The certificates of the authorities of clients, PEM, one after the other. Another text replaces them at once. */
  readonly authorities: () => string
  readonly now: () => number
}

/** What does not change about a certificate while the authorities stay. */
interface Judged {
  readonly authorities: readonly X509Certificate[]
  /** Undefined when none of the authorities stands behind the certificate. */
  readonly user: User | undefined
  readonly from: number
  readonly until: number
}

/** A certificate, intermediates, and the authority. */
const MAX_CHAIN = 5
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
const ANY_USAGE = '2.5.29.37.0'

export class ClientCertificates {
  readonly #parts: ClientCertificatesParts
  #text: string | undefined
  #authorities: readonly X509Certificate[] = []
  /** A connection keeps one certificate for all its requests. */
  readonly #judged = new WeakMap<X509Certificate, Judged>()

  constructor(parts: ClientCertificatesParts) {
    this.#parts = parts
  }

  /** The user; undefined when the certificate is no longer good, or never was. */
  recognise(certificate: X509Certificate): User | undefined {
    const authorities = this.#current()
    let judged = this.#judged.get(certificate)
    if (judged?.authorities !== authorities) {
      judged = judge(certificate, authorities)
      this.#judged.set(certificate, judged)
    }
    const now = this.#parts.now()
    return now >= judged.from && now <= judged.until ? judged.user : undefined
  }

  #current(): readonly X509Certificate[] {
    const text = this.#parts.authorities()
    if (text !== this.#text) {
      this.#authorities = certificatesOf(text)
      this.#text = text
    }
    return this.#authorities
  }
}

/** All certificates of a PEM text. Throws when one cannot be read. */
export function certificatesOf(text: string): X509Certificate[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return found.map((pem) => new X509Certificate(pem))
}

function judge(certificate: X509Certificate, authorities: readonly X509Certificate[]): Judged {
  const chain = chainOf(certificate, authorities)
  const good = chain !== undefined && isForClients(certificate)
  const times = chain ?? [certificate]
  return {
    authorities,
    user: good ? userOf(certificate) : undefined,
    from: Math.max(...times.map(({ validFrom }) => Date.parse(validFrom))),
    until: Math.min(...times.map(({ validTo }) => Date.parse(validTo))),
  }
}

/** From the certificate to an authority, each issued by the next; undefined when it leads to none. */
function chainOf(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
): readonly X509Certificate[] | undefined {
  const chain: X509Certificate[] = []
  let each: X509Certificate | undefined = certificate
  while (each !== undefined && chain.length < MAX_CHAIN) {
    // Whoever has a certificate of their own must not issue others with it.
    if (chain.length > 0 && !each.ca) return undefined
    chain.push(each)
    const authority = authorities.find((one) => isIssuedBy(each as X509Certificate, one))
    if (authority !== undefined) return [...chain, authority]
    const issuer: X509Certificate | undefined = each.issuerCertificate
    each = issuer !== undefined && issuer !== each && isIssuedBy(each, issuer) ? issuer : undefined
  }
  return undefined
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

/** A server's certificate of the same authority is no credential. */
function isForClients({ keyUsage }: X509Certificate): boolean {
  return keyUsage === undefined || keyUsage.includes(CLIENT_AUTH) || keyUsage.includes(ANY_USAGE)
}

/** Undefined without a name. */
function userOf(certificate: X509Certificate): User | undefined {
  // As fields: the text of a subject would have to be parsed, and a name may hold anything.
  const { CN, O } = certificate.toLegacyObject().subject as Record<string, string | string[] | undefined>
  const username = [CN ?? []].flat().at(-1)
  if (username === undefined || username === '') return undefined
  const groups = [O ?? []].flat()
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase()
  return {
    username,
    groups: groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED],
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  }
}
