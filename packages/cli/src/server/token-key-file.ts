// The keys of service account tokens in the data directory: the first of the file signs, all verify. A server that runs takes over
// a changed file within a second.

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Pki } from '@homeostat/apiserver/keys'
import { type Clock, type Log, messageOf } from '@homeostat/base'
import { Fault, systemCode } from '../fault.ts'
import { followFiles } from './follow-files.ts'

export interface FollowedKeys {
  readonly directory: string
  readonly pki: Pki
  /** Throws an Error when the text holds something else. */
  readonly read: (text: string) => Pki['tokenKeys']
  readonly logger: Log
  readonly signal: AbortSignal
  readonly clock?: Clock
}

/** Throws a Fault when the data directory has no keys. */
export function readTokenKeyFile(directory: string): string {
  const file = fileOf(directory)
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const advice = 'name the data directory of the server with --data-dir, and run this as the user of the server'
    throw new Fault(`${file} cannot be read (${systemCode(cause) ?? messageOf(cause)}); ${advice}`, { cause })
  }
}

/** Replaces the file at once and durably, for its owner alone. */
export function writeTokenKeyFile(directory: string, text: string): void {
  const file = fileOf(directory)
  const unfinished = `${file}.${process.pid}.tmp`
  try {
    const fd = openSync(unfinished, 'wx', 0o600)
    try {
      writeSync(fd, text)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(unfinished, file)
  } catch (cause) {
    rmSync(unfinished, { force: true })
    throw new Fault(`${file} cannot be written (${systemCode(cause) ?? messageOf(cause)})`, { cause })
  }
}

/** The keys of a server, with those for tokens as the file has them now. A file that is wrong changes nothing. */
export function followTokenKeys({ directory, pki, read, logger, signal, clock }: FollowedKeys): Pki {
  let { tokenKeys } = pki
  const reload = () => {
    try {
      tokenKeys = read(readTokenKeyFile(directory))
      logger.info({ keys: tokenKeys.length }, 'the keys of tokens were read again')
    } catch (error) {
      logger.error({ reason: messageOf(error) }, 'the keys of tokens are wrong; the former ones stay')
    }
  }
  followFiles([fileOf(directory)], reload, signal, clock)
  return Object.create(pki, { tokenKeys: { get: () => tokenKeys, enumerable: true } }) as Pki
}

function fileOf(directory: string): string {
  return join(resolve(directory), 'pki', 'token.key')
}
