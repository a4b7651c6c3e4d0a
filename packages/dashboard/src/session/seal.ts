// Seals a text so that only a server with the same secret can open it, and only together with the other half. Nothing is kept.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** The first bytes of a sealed text, which no other one has. */
export const SEAL_BYTES = IV_BYTES + TAG_BYTES

/** `half`: what is not in the sealed text; `purpose`: a text sealed for one is not opened for another. */
export function seal(text: string, secret: Buffer, half: string, purpose: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, keyOf(secret, half, purpose), iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Undefined for anything else than what `seal` has answered for the same secret, half and purpose. */
export function unseal(sealed: string, secret: Buffer, half: string, purpose: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < SEAL_BYTES) return undefined
  const decipher = createDecipheriv(ALGORITHM, keyOf(secret, half, purpose), bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, SEAL_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(SEAL_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function keyOf(secret: Buffer, half: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.from(half, 'utf8'), `homeostat dashboard ${purpose}`, 32))
}
