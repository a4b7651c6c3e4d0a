// What a login asks for: the issuer, the client, the scopes. The name of its cache file and the arguments of the plugin follow
// from it. Pure.

import { createHash } from 'node:crypto'
import { writeJson } from '@homeostat/meta'

export interface LoginRequest {
  /** The issuer's URL, as it stands in its tokens. */
  readonly issuer: string
  readonly clientId: string
  /** Undefined: what the issuer knows of the usual ones. */
  readonly scopes: readonly string[] | undefined
  /** The file with the authority of the issuer's certificate, PEM. */
  readonly authorityFile: string | undefined
  readonly device: boolean
}

const USUAL = ['openid', 'offline_access', 'profile', 'email', 'groups']

/** Undefined when this can be an issuer of tokens; else what is wrong with it. */
export function issuerProblem(issuer: string): string | undefined {
  if (!URL.canParse(issuer)) return 'this is no URL'
  const { protocol, search, hash, username, password } = new URL(issuer)
  if (protocol !== 'https:') return 'an issuer has an https URL'
  if (username !== '' || password !== '') return 'the URL of an issuer holds no user'
  return search !== '' || hash !== '' ? 'the URL of an issuer has neither a query nor a fragment' : undefined
}

/** `openid` makes it a login at all; an issuer refuses scopes that it does not know. */
export function scopesFor(
  { scopes }: Pick<LoginRequest, 'scopes'>,
  supported: readonly string[] | undefined,
): string[] {
  if (scopes !== undefined) return [...new Set(['openid', ...scopes])]
  return USUAL.filter((scope) => scope === 'openid' || (supported?.includes(scope) ?? scope === 'offline_access'))
}

/** Another request never reads the tokens of this one. */
export function cacheName({ issuer, clientId, scopes }: LoginRequest): string {
  const parts = writeJson([issuer, clientId, scopes?.toSorted() ?? null])
  return `${createHash('sha256').update(parts).digest('hex').slice(0, 32)}.json`
}

/** The arguments of `homeostat` as a plugin. */
export function pluginArguments({ issuer, clientId, scopes, authorityFile, device }: LoginRequest): string[] {
  return [
    'login',
    '--exec',
    '--issuer',
    issuer,
    '--client-id',
    clientId,
    ...(scopes ?? []).flatMap((scope) => ['--scope', scope]),
    ...(authorityFile === undefined ? [] : ['--issuer-ca', authorityFile]),
    ...(device ? ['--device'] : []),
  ]
}
