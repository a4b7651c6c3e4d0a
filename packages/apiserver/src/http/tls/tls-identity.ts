// What a TLS listener proves itself with and whom it trusts, read from PEM texts. The listener reads it at its start and
// at each update; nothing here touches a disk.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { ServedNames } from '../page-guard.ts'

/** PEM texts. */
export interface TlsIdentity {
  /** The serving certificate, and the certificates between it and its authority. */
  readonly certificate: string
  readonly key: string
  /** The authorities of client certificates; empty for none. */
  readonly clientAuthorities: string
}

export interface ReadIdentity {
  readonly names: ServedNames
  /** The fingerprints of the client authorities. */
  readonly authorities: ReadonlySet<string>
}

/** Throws an Error that says which part is wrong. */
export function readIdentity({ certificate, key, clientAuthorities }: TlsIdentity): ReadIdentity {
  const serving = read('the serving certificate', () => new X509Certificate(certificate))
  const privateKey = read('the private key of the serving certificate', () => createPrivateKey(key))
  if (!serving.checkPrivateKey(privateKey)) throw new Error('the private key is not that of the serving certificate')
  const authorities = read('a client authority', () => certificatesOf(clientAuthorities))
  return { names: namesOf(serving), authorities: new Set(authorities.map(({ fingerprint256 }) => fingerprint256)) }
}

/** The certificates of a PEM text, which may have other lines between them. */
export function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

function namesOf(certificate: X509Certificate): ServedNames {
  return {
    // node:crypto throws for what is neither a name nor an address.
    includes(name) {
      if (isIP(name) !== 0) return certificate.checkIP(name) !== undefined
      return /^[\w.-]+$/.test(name) && certificate.checkHost(name, { subject: 'never' }) !== undefined
    },
  }
}

function read<T>(what: string, parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    throw new Error(`${what} is not valid PEM`, { cause })
  }
}
