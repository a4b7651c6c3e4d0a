// This server as one of several on a store: its name among them, and where they reach it.

import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { type Clock, type Log, systemClock } from '@homeostat/base'
import { serviceUnavailable } from '@homeostat/meta/server'
import { ALONE, type Duties } from '../duties/duties.ts'
import type { PeerSessions } from '../peers/peer-sessions.ts'
import type { Api } from '../registry/api.ts'
import type { ApiExtension } from '../registry/api-extension.ts'
import type { ApiServerOptions } from './options.ts'

/** Loads nothing for a server that is alone on its store. */
export async function openDuties(
  { store, member }: ApiServerOptions,
  api: Api,
  clock: Clock,
  log: Log,
): Promise<Duties> {
  if (!store.shared) return ALONE
  const { SharedDuties } = await import('../duties/shared-duties.ts')
  return new SharedDuties({ api, clock, log, id: member?.id ?? newId() })
}

/** The extensions of a server; of several on a store, each passes on what another leads. */
export class Peers {
  readonly #options: ApiServerOptions
  #sessions: Promise<PeerSessions> | undefined

  constructor(options: ApiServerOptions) {
    this.#options = options
  }

  async extensions(duties: () => Duties): Promise<readonly ApiExtension[]> {
    const { store, extensions = [], clock = systemClock } = this.#options
    if (!store.shared) return extensions
    const { passedOn } = await import('../peers/pass-on.ts')
    const sessions = () => this.#open()
    return extensions.map((extension) => passedOn(extension, { duties, sessions, clock }))
  }

  async close(): Promise<void> {
    const sessions = await this.#sessions
    sessions?.close()
  }

  #open(): Promise<PeerSessions> {
    const credentials = this.#options.member?.credentials
    if (credentials === undefined)
      throw serviceUnavailable('another server answers for this, and this one has no certificate to ask it')
    this.#sessions ??= import('../peers/peer-sessions.ts').then((peers) => new peers.PeerSessions(credentials))
    return this.#sessions
  }
}

/** Others cannot reach a server without TLS. */
export function memberAddress(
  { member }: ApiServerOptions,
  secure: { readonly host: string; readonly port: number } | undefined,
): string {
  if (member?.address !== undefined) return member.address
  if (secure === undefined) return ''
  const { host, port } = secure
  const name = host === '0.0.0.0' || host === '::' ? hostname() : host
  return `https://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function newId(): string {
  const name = hostname()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return `${name}-${randomBytes(4).toString('hex')}`.replace(/^-+/, '')
}
