// Tokens from a file in the format of Kubernetes: `token,user,uid,"group1,group2"` per line. Only hashes are kept, and a token is
// looked up by its hash, so that the time of an answer tells nothing about the tokens.

import { createHash, timingSafeEqual } from 'node:crypto'
import { AUTHENTICATED, type User } from '../identity/user.ts'
import type { TokenAuthenticator, Verdict } from './token-authenticator.ts'

/** A user, and the SHA-256 of the token. */
export interface StaticToken {
  readonly hash: Buffer
  readonly user: User
}

/** Reads a token file. Throws an Error that names the line. */
export function readTokenFile(text: string): StaticToken[] {
  const tokens = new Set<string>()
  return readRows(text).map(({ fields, line }) => {
    const [token = '', username = '', uid = '', groups = ''] = fields
    if (fields.length < 3) throw new Error(`line ${line}: needs a token, a user name and a uid, with commas between`)
    if (token === '') throw new Error(`line ${line}: the token is empty`)
    if (username === '') throw new Error(`line ${line}: the user name is empty`)
    if (tokens.has(token)) throw new Error(`line ${line}: the token stands in the file already`)
    tokens.add(token)
    const named = groups.split(',').flatMap((group) => group.trim() || [])
    return { hash: hashOf(token), user: userOf(username, uid, named) }
  })
}

export class StaticTokens implements TokenAuthenticator {
  readonly #tokens: ReadonlyMap<string, StaticToken>
  readonly #audiences: readonly string[]

  /** `audiences` are those of this server, for which alone the tokens are good. */
  constructor(tokens: readonly StaticToken[], audiences: readonly string[]) {
    this.#tokens = new Map(tokens.map((token) => [token.hash.toString('base64'), token]))
    this.#audiences = audiences
  }

  recognise(token: string, audiences: readonly string[]): Verdict {
    const hash = hashOf(token)
    const known = this.#tokens.get(hash.toString('base64'))
    if (known === undefined || !timingSafeEqual(hash, known.hash)) return undefined
    const both = audiences.filter((audience) => this.#audiences.includes(audience))
    return both.length === 0 ? 'static tokens are valid for this server alone' : { user: known.user, audiences: both }
  }
}

function userOf(username: string, uid: string, groups: readonly string[]): User {
  const all = groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED]
  return { username, groups: all, ...(uid !== '' && { uid }) }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

interface Row {
  readonly fields: string[]
  readonly line: number
}

/** The rows of a CSV text (RFC 4180) on single lines. Empty lines and lines that begin with # are skipped. */
function readRows(text: string): Row[] {
  return text.split(/\r?\n/).flatMap((content, index) => {
    const line = index + 1
    return content.trim() === '' || content.startsWith('#') ? [] : { line, fields: readFields(content, line) }
  })
}

function readFields(content: string, line: number): string[] {
  const field = /\s*(?:"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y
  const fields: string[] = []
  for (;;) {
    const found = field.exec(content)
    if (found === null) throw new Error(`line ${line}: a quote is out of place`)
    const [, quoted, plain = '', end] = found
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    if (end === '') return fields
  }
}
