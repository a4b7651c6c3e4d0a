// `POST /homeostat/join`: gives the keys of the servers to a new one, for a token that is used once. It comes before
// authentication, since a new server has no other credential, and answers over TLS alone. With them goes the uid by which the store is
// known, so that the new one does not begin another. Loaded with the first request.

import type { Clock, Log } from '@homeostat/base'
import { badRequest, isObject, isStatusError, type KubeObject } from '@homeostat/meta'
import { requestEntityTooLarge, unauthorized } from '@homeostat/meta/server'
import { type JoinToken, readJoinToken } from '../authn/join-token.ts'
import type { TokenKeys } from '../authn/token.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { readBytes, readJsonText } from '../exchange/read-body.ts'
import type { Api, ResourceName } from '../registry/api.ts'

export interface JoinParts {
  readonly api: Api
  readonly keys: TokenKeys
  readonly clock: Clock
  readonly log: Log
  /** The files of the keys by their names, as they are now. */
  files(): Readonly<Record<string, string>>
}

const CONFIG_MAPS: ResourceName = { group: '', resource: 'configmaps' }
const NAMESPACES: ResourceName = { group: '', resource: 'namespaces' }
const NAMESPACE = 'kube-system'
const USED = 'homeostat-join-'
const MAX_BYTES = 8192

export async function handleJoin(exchange: Exchange, { api, keys, clock, log, files }: JoinParts): Promise<void> {
  const { request, response, transport } = exchange
  exchange.verb = 'post'
  if (request.method !== 'POST' || transport.peer.kind !== 'tls') return response.notFound()
  if (!(Number(request.headers['content-length']) <= MAX_BYTES)) throw requestEntityTooLarge(MAX_BYTES)
  const body = readJsonText((await readBytes(request)).toString()).value
  if (!isObject(body) || typeof body.token !== 'string') throw badRequest('the body must have a token')
  const now = clock.now()
  const token = readJoinToken(keys, body.token, now)
  if (token === undefined || !(await takeOnce(api, token))) throw unauthorized()
  log.warn({ address: transport.peer.address, code: token.id }, 'a new server was given the keys of this one')
  response.sendJson(201, { files: files(), store: api.get(NAMESPACES, { name: NAMESPACE })?.metadata.uid })
  await forgetEnded(api, now)
}

/** False when the token was used before, on whichever server: the store lets one create succeed. */
async function takeOnce(api: Api, { id, expires }: JoinToken): Promise<boolean> {
  const metadata = { namespace: NAMESPACE, name: `${USED}${id}` }
  const used: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: { expires: new Date(expires).toISOString() },
  }
  try {
    await api.create(CONFIG_MAPS, used)
    return true
  } catch (error) {
    if (isStatusError(error, 'AlreadyExists')) return false
    throw error
  }
}

/** A token that has ended is refused for that. An hour more, for servers whose clocks are behind. */
async function forgetEnded(api: Api, now: number): Promise<void> {
  for (const { metadata, data } of api.list(CONFIG_MAPS, NAMESPACE)) {
    const { name = '' } = metadata
    const end = Date.parse((data as { expires?: string } | undefined)?.expires ?? '')
    if (name.startsWith(USED) && end + HOUR_MS < now) await api.delete(CONFIG_MAPS, { namespace: NAMESPACE, name })
  }
}

const HOUR_MS = 3_600_000
