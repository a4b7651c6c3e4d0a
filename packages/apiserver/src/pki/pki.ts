// The server's own keys: a certificate authority, and the key that signs service account tokens. The command keeps them
// on disk; a server without given keys makes ephemeral ones.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { makeAuthority } from '@homeostat/pki'
import { type Authorities, type AuthorityFiles, authoritiesOf, readAuthorities } from './authorities.ts'

export interface Pki extends Authorities {
  /** Private P-256 keys of tokens: the first signs, all verify. Another list replaces them while the server runs. */
  readonly tokenKeys: readonly KeyObject[]
}

/** PEM texts, one per file. */
export interface PkiFiles extends AuthorityFiles {
  readonly 'token.key': string
}

export async function makePki(now: number = Date.now()): Promise<PkiFiles> {
  const { certificate, key } = makeAuthority(now)
  return { 'ca.crt': certificate, 'ca.key': pem(key), 'token.key': pem(makeTokenKey()) }
}

/** Throws an Error that names the file when a file does not hold the expected PEM. */
export function readPki(files: PkiFiles): Pki {
  const authorities = readAuthorities(files)
  return { ...authorities, tokenKeys: readTokenKeys(files['token.key']) }
}

/** The keys of a `token.key`, which holds one after the other, the newest first. Throws an Error that names the file. */
export function readTokenKeys(text: string): KeyObject[] {
  const blocks = text.match(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]+-----END [A-Z ]*PRIVATE KEY-----/g) ?? [text]
  return blocks.map((block) => {
    const key = read('token.key', 'a private key', () => createPrivateKey(block))
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('token.key is not a P-256 key')
    return key
  })
}

/** The text of a `token.key`. */
export function tokenKeysText(keys: readonly KeyObject[]): string {
  return keys.map(pem).join('')
}

/** Keys in memory that last as long as the server, for a server without given keys. */
export async function ephemeralPki(now: number): Promise<Pki> {
  const authority = makeAuthority(now)
  let tokenKeys: readonly KeyObject[] | undefined
  return {
    ...authoritiesOf(authority, authority),
    get tokenKeys() {
      tokenKeys ??= [makeTokenKey()]
      return tokenKeys
    },
  }
}

export function makeTokenKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function read<T>(file: string, what: string, parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    throw new Error(`${file} does not hold ${what}`, { cause })
  }
}
