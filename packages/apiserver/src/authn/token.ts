// Signs and verifies JSON Web Tokens (RFC 7519) with one algorithm, ES256, and this server's own keys. A token's header
// never chooses how it is verified: it must equal the header that this server writes for one of its keys, byte for byte.
// It does not interpret the claims.

import { createHash, createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from 'node:crypto'
import { type Claims, decodeClaims } from './claims.ts'

export class TokenKeys {
  readonly #privateKeys: () => readonly KeyObject[]
  #from: readonly KeyObject[] | undefined
  /** By the encoded header, the same for every token of a key. */
  #byHeader: ReadonlyMap<string, Made> = new Map()
  /** Grows whenever the keys change. */
  #generation = 0

  /**
   * `privateKeys` are P-256; the first signs, all verify. It is called for each token, so that a server that sees none needs
   * no key, and so that keys can be replaced while the server runs: by another list.
   */
  constructor(privateKeys: () => readonly KeyObject[]) {
    this.#privateKeys = privateKeys
  }

  sign(claims: Claims): string {
    const [first] = this.#keys().values()
    if (first === undefined) throw new Error('the server has no key to sign tokens with')
    const signed = `${first.header}.${encode(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key: first.privateKey, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }

  /** The claims of a token that one of the keys signed; undefined for anything else. The caller checks the times. */
  verify(token: string): Claims | undefined {
    const parts = token.length <= MAX_LENGTH ? token.split('.') : []
    const [first = '', payload = '', last = ''] = parts
    const key = this.#keys().get(first)
    if (parts.length !== 3 || key === undefined) return undefined
    const signature = Buffer.from(last, 'base64url')
    // Refuse any other base64 spelling of the same signature: it would be a second valid token.
    if (signature.length !== SIGNATURE_BYTES || signature.toString('base64url') !== last) return undefined
    const signed = Buffer.from(`${first}.${payload}`)
    if (!verify('sha256', signed, { key: key.publicKey, dsaEncoding: 'ieee-p1363' }, signature)) return undefined
    return decodeClaims(payload)
  }

  /** The public keys as JWKs, for services that verify tokens themselves. */
  jwks(): JsonWebKey[] {
    return [...this.#keys().values()].map(({ publicKey, id }) => {
      return { use: 'sig', ...publicKey.export({ format: 'jwk' }), kid: id, alg: 'ES256' }
    })
  }

  /** Differs from an earlier number when the keys have changed since. */
  get generation(): number {
    this.#keys()
    return this.#generation
  }

  #keys(): ReadonlyMap<string, Made> {
    const current = this.#privateKeys()
    if (current !== this.#from) {
      this.#byHeader = new Map(current.map(prepare).map((made) => [made.header, made]))
      this.#from = current
      this.#generation++
    }
    return this.#byHeader
  }
}

/** The name of a key, which the header of its tokens and the JWKS have as `kid`. */
export function tokenKeyId(key: KeyObject): string {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(spki).digest('base64url')
}

interface Made {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly id: string
  readonly header: string
}

function prepare(privateKey: KeyObject): Made {
  const id = tokenKeyId(privateKey)
  return { privateKey, publicKey: createPublicKey(privateKey), id, header: encode({ alg: 'ES256', kid: id }) }
}

/** Longer than any token issued here, unless it has very many audiences. */
const MAX_LENGTH = 48 << 10
const SIGNATURE_BYTES = 64

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
