// The keys of a server in one file, to carry them to another machine: as they are, or encrypted with a passphrase. Pure.

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { writeJson } from '@homeostat/meta'
import { Fault } from '../fault.ts'

export type KeyFiles = Readonly<Record<string, string>>

interface Sealed {
  readonly salt: string
  readonly nonce: string
  readonly data: string
}

const KIND = 'HomeostatKeys'
const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
/** 128 MiB and about half a second for each guess. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }

export function keyFileText(files: KeyFiles, passphrase: string | undefined): string {
  const content = passphrase === undefined ? { files } : { sealed: seal(writeJson(files), passphrase) }
  return `${writeJson({ kind: KIND, version: 1, ...content }, 2)}\n`
}

/** Throws a Fault that says what is wrong. */
export function readKeyFile(text: string, passphrase: string | undefined): KeyFiles {
  const { kind, version, files, sealed } = parsed(text)
  if (kind !== KIND) throw new Fault('it is no file of `homeostat keys export`')
  if (version !== 1) throw new Fault('it is of a newer version of Homeostat')
  if (sealed === undefined) return checked(files)
  if (passphrase === undefined) throw new Fault('it is encrypted; name the file of its passphrase: --passphrase-file')
  return checked(JSON.parse(unseal(sealed, passphrase)))
}

interface Content {
  readonly kind?: unknown
  readonly version?: unknown
  readonly files?: unknown
  readonly sealed?: Sealed
}

function parsed(text: string): Content {
  try {
    return (JSON.parse(text) ?? {}) as Content
  } catch {
    return {}
  }
}

function checked(files: unknown): KeyFiles {
  const isRight =
    typeof files === 'object' && files !== null && Object.values(files).every((each) => typeof each === 'string')
  if (!isRight) throw new Fault('it holds no keys')
  return files as KeyFiles
}

function seal(text: string, passphrase: string): Sealed {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv(CIPHER, scryptSync(passphrase, salt, 32, SCRYPT), nonce)
  const data = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
  return { salt: salt.toString('base64'), nonce: nonce.toString('base64'), data: data.toString('base64') }
}

function unseal({ salt, nonce, data }: Sealed, passphrase: string): string {
  try {
    const bytes = Buffer.from(data, 'base64')
    const key = scryptSync(passphrase, Buffer.from(salt, 'base64'), 32, SCRYPT)
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce, 'base64'), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString()
  } catch (cause) {
    throw new Fault('the passphrase is wrong, or the file is damaged', { cause })
  }
}
