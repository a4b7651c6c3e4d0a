// Issues certificates of an authority for clients and servers: the serving certificate, an administrator's kubeconfig,
// certificates for others. Each has a key of its own.

import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import type { Authority } from './certificate-authority.ts'
import { BITS, identifier, octets, sequence, tagged } from './der.ts'
import {
  criticalExtension,
  distinguishedName,
  extension,
  keyIdOf,
  publicKeyOf,
  signCertificate,
} from './sign-certificate.ts'

export interface CertificateRequest {
  /** The name of a client's user, or of a server. */
  readonly commonName: string
  /** The groups of a client's user. Default: none. */
  readonly organizations?: readonly string[] | undefined
  /** Host names that a server's certificate is for; `*.` stands for one label. Default: none. */
  readonly dnsNames?: readonly string[] | undefined
  /** IP addresses that a server's certificate is for. Default: none. */
  readonly addresses?: readonly string[] | undefined
  readonly usage: 'client' | 'server'
  readonly notBefore: Date
  readonly notAfter: Date
}

/** PEM texts. */
export interface IssuedCertificate {
  readonly certificate: string
  readonly key: string
}

export function issueCertificate(authority: Authority, request: CertificateRequest): IssuedCertificate {
  const { commonName, organizations, dnsNames = [], addresses = [], usage, notBefore, notAfter } = request
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKey = publicKeyOf(privateKey)
  const names = [...dnsNames.map(dnsName), ...addresses.map(ipAddress)]
  const parts = {
    issuer: distinguishedName(nameOf(authority)),
    subject: distinguishedName(commonName, organizations),
    notBefore,
    notAfter,
    publicKey,
    extensions: [
      criticalExtension(KEY_USAGE, tagged(BITS, DIGITAL_SIGNATURE)),
      extension(EXTENDED_KEY_USAGE, sequence(identifier(usage === 'server' ? SERVER_AUTH : CLIENT_AUTH))),
      criticalExtension(BASIC_CONSTRAINTS, sequence()),
      extension(SUBJECT_KEY_ID, octets(keyIdOf(publicKey))),
      extension(AUTHORITY_KEY_ID, sequence(tagged(KEY_ID, keyIdOf(publicKeyOf(authority.key))))),
      ...(names.length > 0 ? [extension(SUBJECT_ALT_NAME, sequence(...names))] : []),
    ],
  }
  const certificate = signCertificate(parts, authority.key)
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

const SUBJECT_KEY_ID = '551d0e'
const KEY_USAGE = '551d0f'
const SUBJECT_ALT_NAME = '551d11'
const BASIC_CONSTRAINTS = '551d13'
const AUTHORITY_KEY_ID = '551d23'
const EXTENDED_KEY_USAGE = '551d25'
const SERVER_AUTH = '2b06010505070301'
const CLIENT_AUTH = '2b06010505070302'
const DIGITAL_SIGNATURE = Buffer.of(7, 0b1000_0000)
const KEY_ID = 0x80
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

/** Authorities made here have a common name and nothing else. */
function nameOf({ certificate }: Authority): string {
  const { subject } = new X509Certificate(certificate)
  const name = /^CN=([\w .@-]+)$/.exec(subject)?.[1]
  if (name === undefined)
    throw new Error(`the certificate authority is called "${subject}"; only one made here can issue`)
  return name
}

function dnsName(name: string): Buffer {
  if (
    !/^(?:\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i.test(name) ||
    name.length > 253
  )
    throw new Error(`"${name}" is not a host name`)
  return tagged(DNS_NAME, Buffer.from(name, 'latin1'))
}

function ipAddress(address: string): Buffer {
  return tagged(IP_ADDRESS, Buffer.from(addressBytes(address)))
}

function addressBytes(address: string): number[] {
  if (isIPv4(address)) return address.split('.').map(Number)
  if (!isIPv6(address) || address.includes('%')) throw new Error(`"${address}" is not an IP address`)
  // A URL writes an address in its shortest form, without dotted parts.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const head = groups(before)
  const tail = groups(after ?? '')
  const zeros = Array<number>(8 - head.length - tail.length).fill(0)
  return [...head, ...zeros, ...tail].flatMap((group) => [group >> 8, group & 0xff])
}
