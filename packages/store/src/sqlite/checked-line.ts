// A revision that must survive outside SQLite's files: one line of text with the store's uid and a checksum, always of
// the same length, so that it is overwritten in place. `high-water` and `reservation` are made of it.

import { crc32 } from 'node:zlib'
import type { Revision } from '../contract.ts'

export interface CheckedLine {
  readonly uid: string
  readonly revision: Revision
}

const UID_CHARACTERS = 36
const REVISION_DIGITS = 16

export function encodeLine(name: string, { uid, revision }: CheckedLine): Buffer {
  const text = `${name} ${uid.padEnd(UID_CHARACTERS)} ${String(revision).padStart(REVISION_DIGITS, '0')}`
  return Buffer.from(`${text} ${checksum(text)}\n`)
}

/** Undefined for anything that was not written whole under this name. */
export function decodeLine(name: string, bytes: Uint8Array): CheckedLine | undefined {
  const line = Buffer.from(bytes).toString('latin1')
  const text = line.slice(0, name.length + UID_CHARACTERS + REVISION_DIGITS + 2)
  if (!text.startsWith(`${name} `) || line.slice(text.length, text.length + 10) !== ` ${checksum(text)}\n`)
    return undefined
  return {
    uid: text.slice(name.length + 1, -REVISION_DIGITS - 1).trimEnd(),
    revision: Number(text.slice(-REVISION_DIGITS)),
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
