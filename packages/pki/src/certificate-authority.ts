// Makes a self-signed certificate authority on a P-256 key. The server makes one with its keys, and a new one for each
// rotation; issue-certificate.ts issues with it.

import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { BITS, BOOLEAN, octets, sequence, tagged } from './der.ts'
import {
  criticalExtension,
  distinguishedName,
  extension,
  keyIdOf,
  publicKeyOf,
  signCertificate,
} from './sign-certificate.ts'

export interface Authority {
  /** PEM. */
  readonly certificate: string
  readonly key: KeyObject
}

const NAME = 'homeostat'
const YEARS = 10
const HOUR_MS = 3_600_000

/** `now` is in milliseconds. The certificate is valid from an hour before, for clients whose clocks are behind. */
export function makeAuthority(now: number, name: string = NAME): Authority {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const notAfter = new Date(now)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS)
  const itself = distinguishedName(name)
  const publicKey = publicKeyOf(key)
  const parts = {
    issuer: itself,
    subject: itself,
    notBefore: new Date(now - HOUR_MS),
    notAfter,
    publicKey,
    extensions: [
      criticalExtension(KEY_USAGE, tagged(BITS, USAGE)),
      criticalExtension(BASIC_CONSTRAINTS, sequence(tagged(BOOLEAN, Buffer.of(0xff)))),
      extension(SUBJECT_KEY_ID, octets(keyIdOf(publicKey))),
    ],
  }
  return { certificate: signCertificate(parts, key), key }
}

const SUBJECT_KEY_ID = '551d0e'
const KEY_USAGE = '551d0f'
const BASIC_CONSTRAINTS = '551d13'

/** Key usage: digital signatures, signing of certificates and of CRLs. The first byte counts unused bits. */
const USAGE = Buffer.of(1, 0b1000_0110)
