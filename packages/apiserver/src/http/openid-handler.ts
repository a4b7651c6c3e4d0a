// Serves /.well-known/openid-configuration and /openid/v1/jwks, by which other programs verify the server's tokens.

import { openidConfiguration, openidKeys } from '../authn/openid.ts'
import type { TokenKeys } from '../authn/token.ts'
import type { Exchange } from '../exchange/exchange.ts'

export function handleOpenid(exchange: Exchange, keys: TokenKeys): void {
  const path = exchange.request.pathname.replace(/\/$/, '')
  if (path === '/.well-known/openid-configuration') {
    const scheme = exchange.request.peer.kind === 'tls' ? 'https' : 'http'
    const host = exchange.request.headers.host ?? exchange.transport.localAddress
    send(exchange, openidConfiguration(`${scheme}://${host}`), 'application/json')
  } else if (path === '/openid/v1/jwks') send(exchange, openidKeys(keys), 'application/jwk-set+json')
  else exchange.response.notFound()
}

function send(exchange: Exchange, document: object, contentType: string): void {
  exchange.response.send(
    200,
    { contentType, body: Buffer.from(JSON.stringify(document)) },
    undefined,
    'public, max-age=3600',
  )
}
