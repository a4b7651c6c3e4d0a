// Puts a certificate (RFC 5280) together and signs it. Authorities and the certificates that they issue share this; they
// differ in their extensions.

import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { BOOLEAN, bits, identifier, integer, octets, sequence, set, tagged, time, utf8 } from './der.ts'

export interface CertificateParts {
  /** DER of the names. */
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly notBefore: Date
  readonly notAfter: Date
  /** DER of the subject's public key. */
  readonly publicKey: Buffer
  readonly extensions: readonly Buffer[]
}

/** PEM, signed by an authority's P-256 key. */
export function signCertificate(parts: CertificateParts, signer: KeyObject): string {
  const algorithm = sequence(identifier(ECDSA_WITH_SHA256))
  const body = sequence(
    tagged(VERSION, integer(Buffer.of(2))),
    integer(positive(randomBytes(16))),
    algorithm,
    parts.issuer,
    sequence(time(parts.notBefore), time(parts.notAfter)),
    parts.subject,
    parts.publicKey,
    tagged(EXTENSIONS, sequence(...parts.extensions)),
  )
  return pem(sequence(body, algorithm, bits(sign('sha256', body, signer))))
}

const ECDSA_WITH_SHA256 = '2a8648ce3d040302'
const COMMON_NAME = '550403'
const ORGANIZATION = '55040a'
const VERSION = 0xa0
const EXTENSIONS = 0xa3

/** DER of a name: organizations first, as Go writes it, each in a set of its own. */
export function distinguishedName(commonName: string, organizations: readonly string[] = []): Buffer {
  const part = (id: string, text: string) => set(sequence(identifier(id), utf8(text)))
  return sequence(...organizations.map((name) => part(ORGANIZATION, name)), part(COMMON_NAME, commonName))
}

/** DER of the public half of a P-256 key. */
export function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' })
}

/** The key identifier hashes the raw key. The SPKI header before it has the same length for every P-256 key. */
export function keyIdOf(publicKey: Buffer): Buffer {
  return createHash('sha1').update(publicKey.subarray(-65)).digest()
}

export function extension(id: string, value: Buffer): Buffer {
  return sequence(identifier(id), octets(value))
}

/** One that a reader who does not know it must refuse. */
export function criticalExtension(id: string, value: Buffer): Buffer {
  return sequence(identifier(id), tagged(BOOLEAN, Buffer.of(0xff)), octets(value))
}

/** A serial number is positive and has the shortest encoding. */
function positive(bytes: Buffer): Buffer {
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
