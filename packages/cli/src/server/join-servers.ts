// Gets the keys of a store's servers from one of them, for a new server that was given a code: it names that server, the authority of
// its certificate, and a token that is good once. Loaded only with --join-file.

import { existsSync, rmSync } from 'node:fs'
import { readPki } from '@homeostat/apiserver/keys'
import { type Log, messageOf } from '@homeostat/base'
import { createClient, nodeTransport } from '@homeostat/client/node'
import { isStatusError, writeJson } from '@homeostat/meta'
import { Fault } from '../fault.ts'
import { keysForBackup, placeKeyFiles } from './pki-folder.ts'
import { readSecretLine } from './secret-file.ts'
import { markStore } from './served-store.ts'

export interface ServerJoinCode {
  readonly server: string
  /** PEM of the authority that the server's certificate is from; undefined where this machine trusts it anyway. */
  readonly ca?: string | undefined
  readonly token: string
}

export function serverJoinCodeText(code: ServerJoinCode): string {
  return Buffer.from(writeJson(code)).toString('base64url')
}

/** Throws a Fault when the server has no keys afterwards. One that had keys goes on with those. */
export async function joinServers(file: string, directory: string, log: Log): Promise<void> {
  const hasKeys = keysForBackup(directory).length > 0
  if (!existsSync(file)) {
    if (hasKeys) return
    throw new Fault(`--join-file ${file}: there is no such file, and ${directory} has no keys`)
  }
  try {
    const { files, store } = await askForKeys(readCode(file))
    const aside = placeKeyFiles(directory, files)
    markStore(directory, store)
    log.info({}, 'the keys of the other servers were taken over')
    if (aside !== undefined) log.warn({ aside }, 'other keys were in the data directory')
  } catch (error) {
    const reason = messageOf(error)
    if (!hasKeys) throw error instanceof Fault ? error : new Fault(reason, { cause: error })
    log.warn({ reason }, 'the code to join was not used; the keys in the data directory stay')
    return
  }
  remove(file, log)
}

function readCode(file: string): ServerJoinCode {
  const text = readSecretLine(file, '--join-file')
  try {
    const code = JSON.parse(Buffer.from(text.trim(), 'base64url').toString()) as Partial<ServerJoinCode>
    if (code.server?.startsWith('https://') && code.token) return code as ServerJoinCode
  } catch {
    // The same message as below.
  }
  throw new Fault(`--join-file ${file} holds no code of \`homeostat server join-code\``)
}

interface Answer {
  readonly files: Parameters<typeof readPki>[0] & Record<string, string>
  /** By which the store is known. Undefined: of a server of an older version. */
  readonly store?: string
}

async function askForKeys({ server, ca, token }: ServerJoinCode): Promise<Answer> {
  const client = createClient(nodeTransport({ url: server, ...(ca !== undefined && { ca }) }))
  try {
    const answer = (await client.requestJson({
      method: 'POST',
      path: '/homeostat/join',
      headers: { 'content-type': 'application/json' },
      body: writeJson({ token }),
    })) as unknown as Answer
    // What cannot be read is not put in place.
    readPki(answer.files)
    return answer
  } catch (cause) {
    if (isStatusError(cause, 'Unauthorized'))
      throw new Fault(
        `${server} does not take the code: it was used, or has ended, or the server's store is its own; ` +
          'make another for a server with --store etcd: homeostat server join-code',
        { cause },
      )
    throw new Fault(`${server} gave no keys: ${messageOf(cause)}`, { cause })
  } finally {
    client.close()
  }
}

/** It is of no use any more. */
function remove(file: string, log: Log): void {
  try {
    rmSync(file)
  } catch (error) {
    log.info({ file, reason: messageOf(error) }, 'the file of the code could not be deleted; its code was used')
  }
}
