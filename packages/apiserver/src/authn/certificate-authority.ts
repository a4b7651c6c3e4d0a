// Makes a self-signed certificate authority (RFC 5280) on a P-256 key. It writes the DER by hand, since there is one
// kind of certificate with fixed contents.

import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Authority {
  /** PEM. */
  readonly certificate: string
  readonly key: KeyObject
}

const NAME = 'homeostat'
const YEARS = 10
const HOUR_MS = 3_600_000

/** `now` is in milliseconds. The certificate is valid from an hour before, for clients whose clocks are behind. */
export function makeAuthority(now: number): Authority {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const from = new Date(now - HOUR_MS)
  const until = new Date(now)
  until.setUTCFullYear(until.getUTCFullYear() + YEARS)
  const algorithm = sequence(identifier(ECDSA_WITH_SHA256))
  const name = sequence(set(sequence(identifier(COMMON_NAME), tagged(UTF8, Buffer.from(NAME)))))
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const body = sequence(
    tagged(VERSION, integer(Buffer.of(2))),
    integer(positive(randomBytes(16))),
    algorithm,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey,
    tagged(EXTENSIONS, sequence(...extensions(publicKey))),
  )
  const signature = sign('sha256', body, key)
  const certificate = sequence(body, algorithm, bits(signature))
  return { certificate: pem(certificate), key }
}

const ECDSA_WITH_SHA256 = '2a8648ce3d040302'
const COMMON_NAME = '550403'
const SUBJECT_KEY_ID = '551d0e'
const KEY_USAGE = '551d0f'
const BASIC_CONSTRAINTS = '551d13'

/** Key usage: digital signatures, signing of certificates and of CRLs. The first byte counts unused bits. */
const USAGE = Buffer.of(1, 0b1000_0110)

function extensions(publicKey: Buffer): Buffer[] {
  // The key identifier hashes the raw key. The SPKI header before it has the same length for every P-256 key.
  const keyId = createHash('sha1').update(publicKey.subarray(-65)).digest()
  return [
    critical(KEY_USAGE, tagged(BITS, USAGE)),
    critical(BASIC_CONSTRAINTS, sequence(tagged(BOOLEAN, Buffer.of(0xff)))),
    sequence(identifier(SUBJECT_KEY_ID), octets(octets(keyId))),
  ]
}

function critical(id: string, value: Buffer): Buffer {
  return sequence(identifier(id), tagged(BOOLEAN, Buffer.of(0xff)), octets(value))
}

const BOOLEAN = 0x01
const INTEGER = 0x02
const BITS = 0x03
const OCTETS = 0x04
const IDENTIFIER = 0x06
const UTF8 = 0x0c
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const SEQUENCE = 0x30
const SET = 0x31
const VERSION = 0xa0
const EXTENSIONS = 0xa3

const sequence = (...parts: Buffer[]) => tagged(SEQUENCE, Buffer.concat(parts))
const set = (part: Buffer) => tagged(SET, part)
const integer = (bytes: Buffer) => tagged(INTEGER, bytes)
const identifier = (hex: string) => tagged(IDENTIFIER, Buffer.from(hex, 'hex'))
const octets = (bytes: Buffer) => tagged(OCTETS, bytes)
const bits = (bytes: Buffer) => tagged(BITS, Buffer.concat([Buffer.of(0), bytes]))

/** Encodes a DER length: below 128 in one byte, otherwise a byte with the count of length bytes and then those. */
function tagged(tag: number, content: Buffer): Buffer {
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

/** A serial number is positive and has the shortest encoding. */
function positive(bytes: Buffer): Buffer {
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes
}

/** RFC 5280 wants two digits of the year until 2049 and four digits from 2050 on. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+|[-:T]/g, '')
  return date.getUTCFullYear() < 2050
    ? tagged(UTC_TIME, Buffer.from(digits.slice(2)))
    : tagged(GENERALIZED_TIME, Buffer.from(digits))
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
