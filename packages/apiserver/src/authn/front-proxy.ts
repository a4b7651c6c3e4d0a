// Callers that another server of the same store has authenticated, and whose request it passes on: a front proxy, as Kubernetes
// calls it. Only a client certificate of the servers' own authority, with their group, may name somebody else.

import type { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { unauthorized } from '@homeostat/meta/server'
import type { Peer } from '../identity/peer.ts'
import type { User } from '../identity/user.ts'
import { ClientCertificates } from './client-certificates.ts'
import { MEMBERS } from './members-group.ts'

const USER = 'x-remote-user'
const UID = 'x-remote-uid'
const GROUP = 'x-remote-group'
const EXTRA = 'x-remote-extra-'

/** The headers that name the caller, as pairs. */
export function callerHeaders({ username, uid, groups, extra = {} }: User): [name: string, value: string][] {
  return [
    [USER, encoded(username)],
    ...(uid === undefined ? [] : [[UID, encoded(uid)] as [string, string]]),
    ...groups.map((group): [string, string] => [GROUP, encoded(group)]),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value): [string, string] => [`${EXTRA}${encodedKey(key)}`, encoded(value)]),
    ),
  ]
}

export class FrontProxy {
  readonly #members: ClientCertificates

  /** `authorities`: of the servers alone; those of other clients must not be among them. */
  constructor(authorities: () => string, now: () => number) {
    this.#members = new ClientCertificates({ authorities, now })
  }

  /** Undefined for a request that is not passed on by a server. Throws 401 for one that names its caller badly. */
  callerOf(certificate: X509Certificate, rawHeaders: readonly string[]): User | undefined {
    const found = headersOf(rawHeaders)
    if (found === undefined || !this.#isMember(certificate)) return undefined
    return read(found)
  }

  /** Whether a server has passed on this request, whose caller is known. Of anybody else the headers mean nothing. */
  isPassedOn({ peer, headers }: { readonly peer: Peer; readonly headers: IncomingHttpHeaders }): boolean {
    if (headers[USER] === undefined || peer.kind !== 'tls' || peer.certificate === undefined) return false
    return this.#isMember(peer.certificate)
  }

  #isMember(certificate: X509Certificate): boolean {
    return this.#members.recognise(certificate)?.groups.includes(MEMBERS) === true
  }
}

/** Alternating names, in lower case, and values; undefined when no caller is named. */
function headersOf(rawHeaders: readonly string[]): readonly [string, string][] | undefined {
  const found: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    if (name.startsWith('x-remote-')) found.push([name, rawHeaders[at + 1] as string])
  }
  return found.length === 0 ? undefined : found
}

function read(headers: readonly [string, string][]): User {
  const all = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => decoded(value))
  const [username, another] = all(USER)
  if (username === undefined || username === '' || another !== undefined) throw unauthorized()
  const [uid] = all(UID)
  const extra: Record<string, string[]> = Object.create(null)
  for (const [name, value] of headers) {
    if (!name.startsWith(EXTRA)) continue
    const key = decoded(name.slice(EXTRA.length))
    extra[key] = [...(extra[key] ?? []), decoded(value)]
  }
  return {
    username,
    ...(uid !== undefined && { uid }),
    groups: all(GROUP),
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}

/** What a header cannot hold, and the sign of the encoding itself. */
function encoded(text: string): string {
  return text.replace(/[^\x21-\x24\x26-\x7e]+/gu, encodeURIComponent)
}

/** Names of headers are in lower case and of few characters. */
function encodedKey(text: string): string {
  return Array.from(Buffer.from(text), (byte) => {
    const character = String.fromCharCode(byte)
    return /[a-z0-9._-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`
  }).join('')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw unauthorized()
  }
}
