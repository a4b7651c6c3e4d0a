// /.well-known/openid-configuration and /openid/v1/jwks: how others learn to check our tokens.

import { openidConfiguration, openidKeys } from '../authn/openid.ts'
import type { TokenKey } from '../authn/token.ts'
import type { Exchange } from './exchange.ts'

export function handleOpenid(exchange: Exchange, key: TokenKey): void {
  switch (exchange.pathname.replace(/\/$/, '')) {
    case '/.well-known/openid-configuration': {
      const { host = `${exchange.request.socket.localAddress}:${exchange.request.socket.localPort}` } =
        exchange.request.headers
      return send(exchange, openidConfiguration(`http://${host}`), 'application/json')
    }
    case '/openid/v1/jwks':
      return send(exchange, openidKeys(key), 'application/jwk-set+json')
    default:
      return exchange.notFound()
  }
}

function send(exchange: Exchange, document: object, contentType: string): void {
  exchange.send(200, { contentType, body: Buffer.from(JSON.stringify(document)) })
}
