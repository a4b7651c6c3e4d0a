// Requests that ask to go on as WebSockets. They take the same way as all others, with a response of their own on
// the connection: whatever is refused, or is no watch, is answered as HTTP, and the connection ends with it.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { unauthorized } from '@homeostat/meta'

const http = process.getBuiltinModule('node:http')

/** How a page, which cannot set headers, says who it is: this and a token in base64url. */
const BEARER = 'base64url.bearer.authorization.k8s.io.'

/** Other offers, such as h2c by Java's client, are not taken up, and the request goes on as if there were none. */
export function isWebSocket(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket'
}

/** A response for a request whose connection node:http has let go of. */
export function responseFor(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new http.ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(request.socket)
  response.once('finish', () => socket.end())
  // Whoever is gone needs no answer.
  socket.on('error', () => socket.destroy())
  return response
}

/** Moves a token from the offered protocols to where all other clients send it. Throws when that makes no sense. */
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
