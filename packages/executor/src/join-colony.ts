// Trades a bootstrap token for the credential of a new executor, and writes it to a file. `homeostat executor join` and programs
// with the SDK call it on the machine of the executor.

import { rmSync } from 'node:fs'
import { messageOf } from '@homeostat/base'
import { writeJson } from '@homeostat/meta'
import { type ExecutorCredential, readCredential, type StoredCredential, writeCredential } from './credential-file.ts'
import { COLONIES, type JoinResponse } from './protocol.ts'

/** What `homeostat executor bootstrap-token` prints, as one word: the server, its authority and the secret. */
export interface JoinCode {
  readonly server: string
  readonly ca?: string | undefined
  readonly colony: string
  /** The name of the BootstrapToken. */
  readonly bootstrapToken: string
  readonly token: string
}

export interface JoinOptions {
  readonly code: string
  /** Where the credential is written, readable by its owner alone. One that is there already is used instead of joining again. */
  readonly file: string
  /** The name of the executor. Default: the type and five random letters. */
  readonly name?: string | undefined
}

export interface Joined extends StoredCredential {
  /** False when somebody has to approve the executor first. Undefined when the credential was there already. */
  readonly approved: boolean | undefined
}

export function joinCodeText(code: JoinCode): string {
  return Buffer.from(writeJson(code)).toString('base64url')
}

/** Throws when the text is no code. */
export function readJoinCode(text: string): JoinCode {
  try {
    const code = JSON.parse(Buffer.from(text.trim(), 'base64url').toString()) as Partial<JoinCode>
    if (code.server && code.colony && code.bootstrapToken && code.token) return code as JoinCode
  } catch {
    // The same message as below.
  }
  throw new Error('this is no code to join with; `homeostat executor bootstrap-token` prints one')
}

export async function joinColony({ code: text, file, name }: JoinOptions): Promise<Joined> {
  const known = readCredential(file)
  if (known !== undefined) return { ...known, approved: undefined }
  const code = readJoinCode(text)
  const { executor, colony, type, token, approved } = await askToJoin(code, name)
  const credential: ExecutorCredential = { server: code.server, ca: code.ca, colony, executor, type, token }
  try {
    // A token file of an earlier executor would be read first.
    rmSync(`${file}.token`, { force: true })
    writeCredential(file, credential)
  } catch (cause) {
    const text = `joined as ${executor}, but its credential could not be written to ${file}: ${messageOf(cause)}`
    throw new Error(`${text}; remove it with \`homeostat executor revoke ${executor}\``, { cause })
  }
  const stored = readCredential(file)
  if (stored === undefined) throw new Error(`the credential in ${file} cannot be read`)
  return { ...stored, approved }
}

async function askToJoin({ server, ca, colony, bootstrapToken, token }: JoinCode, name: string | undefined) {
  // Late, as in executor.ts: Node's own transport.
  const { createClient, nodeTransport } = await import('@homeostat/client/node')
  const headers = { authorization: `Bearer ${token}` }
  const client = createClient(nodeTransport({ url: server, headers, ...(ca !== undefined && { ca }) }))
  try {
    const root = `/apis/${COLONIES.group}/${COLONIES.version}/namespaces/${colony}`
    return (await client.requestJson({
      method: 'POST',
      path: `${root}/bootstraptokens/${bootstrapToken}/join`,
      headers: { 'content-type': 'application/json' },
      body: writeJson({ name }),
    })) as unknown as JoinResponse
  } finally {
    client.close()
  }
}
