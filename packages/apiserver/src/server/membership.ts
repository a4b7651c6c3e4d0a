// This server as one of several on a store: its name among them, and where they reach it.

import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Clock, Log } from '@homeostat/base'
import { ALONE, type Duties } from '../duties/duties.ts'
import type { Api } from '../registry/api.ts'
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
