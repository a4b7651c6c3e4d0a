// Requests that offer to upgrade to a WebSocket. They pass the router like all others, with a ServerResponse made here: if
// the request is refused or is no watch, it is answered over HTTP and the connection closes.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { unauthorized } from '@homeostat/meta/server'

const http = process.getBuiltinModule('node:http')

/** The protocol by which a page, which cannot set headers, sends a token: this prefix and the token in base64url. */
const BEARER = 'base64url.bearer.authorization.k8s.io.'

/** Other upgrades, such as h2c by Java's client, are ignored. */
export function isWebSocket(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket'
}

/** A response for an upgrade request, whose socket node:http has released. */
export function responseFor(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new http.ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(request.socket)
  response.once('finish', () => socket.end())
  // A client that disconnected needs no response.
  socket.on('error', () => socket.destroy())
  return response
}

/** Moves a token from the offered protocols into the Authorization header. Throws for a malformed one. */
export function takeBearerProtocol({ headers }: { readonly headers: IncomingHttpHeaders }): void {
  const offered = headers['sec-websocket-protocol']
  if (offered === undefined || !offered.includes(BEARER)) return
  const protocols = offered.split(',').map((protocol) => protocol.trim())
  const [token, ...more] = protocols.filter((protocol) => protocol.startsWith(BEARER))
  const others = protocols.filter((protocol) => !protocol.startsWith(BEARER))
  if (token === undefined) return
  if (more.length > 0) throw unauthorized('only one protocol may carry a bearer token')
  if (others.length === 0) throw unauthorized('beside the bearer token another protocol must be offered to answer with')
  headers['sec-websocket-protocol'] = others.join(', ')
  headers.authorization ??= `Bearer ${readToken(token.slice(BEARER.length))}`
}

function readToken(encoded: string): string {
  if (!/^[\w-]+$/.test(encoded)) throw unauthorized('the bearer token must be in base64url without padding')
  return Buffer.from(encoded, 'base64url').toString()
}
