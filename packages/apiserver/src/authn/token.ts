// Signs and verifies JSON Web Tokens (RFC 7519) with one algorithm, ES256, and this server's one key. A token's header
// never chooses how it is verified: it must equal the one header that this server writes, byte for byte. It does not
// interpret the claims.

import { createHash, createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from 'node:crypto'

export type Claims = Readonly<Record<string, unknown>>

export class TokenKey {
  readonly #privateKey: () => KeyObject
  #made: Made | undefined

  /** `privateKey` is P-256. It is called for the first token, so that a server that sees none needs no key. */
  constructor(privateKey: () => KeyObject) {
    this.#privateKey = privateKey
  }

  sign(claims: Claims): string {
    const { privateKey, header } = this.#key()
    const signed = `${header}.${encode(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }

  /** The claims of a token that this key signed; undefined for anything else. The caller checks the times. */
  verify(token: string): Claims | undefined {
    const parts = token.length <= MAX_LENGTH ? token.split('.') : []
    const [first = '', payload = '', last = ''] = parts
    const { publicKey, header } = this.#key()
    if (parts.length !== 3 || first !== header) return undefined
    const signature = Buffer.from(last, 'base64url')
    // Refuse any other base64 spelling of the same signature: it would be a second valid token.
    if (signature.length !== SIGNATURE_BYTES || signature.toString('base64url') !== last) return undefined
    const signed = Buffer.from(`${first}.${payload}`)
    if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)) return undefined
    return decode(payload)
  }

  /** The public key as a JWK, for services that verify tokens themselves. */
  jwk(): JsonWebKey {
    const { publicKey, id } = this.#key()
    return { use: 'sig', ...publicKey.export({ format: 'jwk' }), kid: id, alg: 'ES256' }
  }

  #key(): Made {
    this.#made ??= prepare(this.#privateKey())
    return this.#made
  }
}

interface Made {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly id: string
  /** The encoded header, the same for every token. */
  readonly header: string
}

function prepare(privateKey: KeyObject): Made {
  const publicKey = createPublicKey(privateKey)
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
  return { privateKey, publicKey, id, header: encode({ alg: 'ES256', kid: id }) }
}

/** Longer than any token issued here, unless it has very many audiences. */
const MAX_LENGTH = 48 << 10
const SIGNATURE_BYTES = 64

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : undefined
  } catch {
    return undefined
  }
}
