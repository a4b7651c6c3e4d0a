// Discovery: /api, /apis and the paths below them up to a version. /api and /apis also have an aggregated form, which
// clients request by Accept and cache by its ETag.

import { methodNotAllowed, pathNotFound } from '@homeostat/meta/server'
import type { AggregatedVersion } from '../discovery/aggregated.ts'
import type { AggregatedDiscovery, Discovery } from '../discovery/discovery.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { parseAccept } from '../represent/accept.ts'
import { matchesEtag } from '../represent/etag.ts'
import { plainForm } from '../represent/representation.ts'
import type { RequestPath } from './request-path.ts'
import { isBuiltinGroup } from './resource-handler.ts'

export function handleDiscovery(
  exchange: Exchange,
  discovery: Discovery,
  types: ResourceTypes,
  { root, group, version }: RequestPath & { kind: 'discovery' },
): undefined {
  const { method, headers, parts } = exchange.request
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed({ group: '', resource: root }, exchange.verb)
  const whole = root === 'api' ? version === undefined : group === undefined
  const aggregated = whole && headers.accept !== undefined ? aggregatedVersion(headers.accept) : undefined
  if (aggregated) return sendAggregated(exchange, discovery.aggregated(root, aggregated), aggregated)
  exchange.response.form = plainForm(parts.negotiation.negotiate(headers.accept, 'plain', true))
  if (!whole) {
    const body = found(discovery, group ?? '', version)
    if (!body && isBuiltinGroup(types, group ?? '')) throw pathNotFound()
    return sendBody(exchange, body)
  }
  if (root === 'apis') return sendBody(exchange, discovery.groupList())
  return sendBody(exchange, discovery.apiVersions(headers.host ?? exchange.transport.localAddress))
}

/** Undefined when the client prefers, or only accepts, the plain form. */
export function aggregatedVersion(accept: string): AggregatedVersion | undefined {
  if (!accept.includes('APIGroupDiscoveryList')) return undefined
  for (const { type, params } of parseAccept(accept)) {
    if (!PLAIN.includes(type)) continue
    if (params.as === undefined) return undefined
    if (params.as !== 'APIGroupDiscoveryList' || params.g !== 'apidiscovery.k8s.io') continue
    if (params.v === 'v2' || params.v === 'v2beta1') return params.v
  }
  return undefined
}

const PLAIN = ['application/json', 'application/*', '*/*']

function found(discovery: Discovery, group: string, version: string | undefined): Buffer | undefined {
  return version === undefined ? discovery.group(group) : discovery.resourceList(group, version)
}

function sendAggregated(
  exchange: Exchange,
  { body, etag }: AggregatedDiscovery,
  version: AggregatedVersion,
): undefined {
  const more = ['Vary', 'Accept', 'ETag', etag]
  if (matchesEtag(exchange.request.headers['if-none-match'], etag)) {
    exchange.response.sendEmpty(304, more, 'public')
    return
  }
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
  exchange.response.send(200, { contentType, body: exchange.request.pretty ? indented(body) : body }, more, 'public')
}

function sendBody(exchange: Exchange, body: Buffer | undefined): undefined {
  if (!body) exchange.response.notFound()
  else
    exchange.response.send(200, {
      contentType: 'application/json',
      body: exchange.request.pretty ? indented(body) : body,
    })
}

function indented(body: Buffer): Buffer {
  return Buffer.from(`${JSON.stringify(JSON.parse(body.toString()), null, 2)}\n`)
}
