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
  /** A second certificate, for clients that ask (SNI) for a name that only this one has, such as localhost. */
  readonly internal?: { readonly certificate: string; readonly key: string } | undefined
  /** The authorities of client certificates; empty for none. */
  readonly clientAuthorities: string
}

export interface ReadIdentity {
  /** Of both certificates. */
  readonly names: ServedNames
  /** Whether the second certificate is the one to use for the name. */
  isInternal(name: string): boolean
  /** The fingerprints of the client authorities. */
  readonly authorities: ReadonlySet<string>
}

/** Throws an Error that says which part is wrong. */
export function readIdentity({ certificate, key, internal, clientAuthorities }: TlsIdentity): ReadIdentity {
  const names = readServing(certificate, key)
  const internalNames = internal && readServing(internal.certificate, internal.key)
  const authorities = read('a client authority', () => certificatesOf(clientAuthorities))
  const isInternal = (name: string) => internalNames?.includes(name) === true && !names.includes(name)
  return {
    names: { includes: (name) => names.includes(name) || isInternal(name) },
    isInternal,
    authorities: new Set(authorities.map(({ fingerprint256 }) => fingerprint256)),
  }
}

function readServing(certificate: string, key: string): ServedNames {
  const serving = read('the serving certificate', () => new X509Certificate(certificate))
  const privateKey = read('the private key of the serving certificate', () => createPrivateKey(key))
  if (!serving.checkPrivateKey(privateKey)) throw new Error('the private key is not that of the serving certificate')
  return namesOf(serving)
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
