// The server's certificate authorities as their files hold them: one, or two while it rotates. Meanwhile both are trusted;
// the server still proves itself with the one that all clients know, and issues client certificates with the next.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { type Authority, makeAuthority } from '@homeostat/pki'

/** PEM texts, one per file. The next authority is there while it rotates. */
export interface AuthorityFiles {
  readonly 'ca.crt': string
  readonly 'ca.key': string
  readonly 'ca-next.crt'?: string | undefined
  readonly 'ca-next.key'?: string | undefined
}

export interface Authorities {
  /** PEM of all; clients get it in the ConfigMap kube-root-ca.crt. */
  readonly caCertificate: string
  /** Issues client certificates. */
  readonly issuingAuthority: Authority
  /** Issues serving certificates. */
  readonly servingAuthority: Authority
}

/** Throws an Error that names the file when a file does not hold the expected PEM. */
export function readAuthorities(files: AuthorityFiles): Authorities {
  const serving = readAuthority('ca', files['ca.crt'], files['ca.key'])
  const { 'ca-next.crt': certificate, 'ca-next.key': key } = files
  if (certificate === undefined || key === undefined) return authoritiesOf(serving, serving)
  return authoritiesOf(serving, readAuthority('ca-next', certificate, key))
}

export function authoritiesOf(serving: Authority, issuing: Authority): Authorities {
  const caCertificate = serving === issuing ? serving.certificate : serving.certificate + issuing.certificate
  return { caCertificate, issuingAuthority: issuing, servingAuthority: serving }
}

/** The files of an authority that will follow. Its name differs, so that people can tell the two apart. */
export function makeNextAuthority(now: number): { 'ca-next.crt': string; 'ca-next.key': string } {
  const { certificate, key } = makeAuthority(now, `homeostat@${Math.floor(now / 1000)}`)
  return { 'ca-next.crt': certificate, 'ca-next.key': key.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

function readAuthority(name: string, certificateText: string, keyText: string): Authority {
  const certificate = read(`${name}.crt`, 'a certificate', () => new X509Certificate(certificateText))
  const key = read(`${name}.key`, 'a private key', () => createPrivateKey(keyText))
  if (!certificate.checkPrivateKey(key)) throw new Error(`${name}.key is not the key of ${name}.crt`)
  return { certificate: certificateText, key }
}

function read<T>(file: string, what: string, parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    throw new Error(`${file} does not hold ${what}`, { cause })
  }
}
