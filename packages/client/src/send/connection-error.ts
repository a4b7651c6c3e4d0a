// The error for a request without a complete response: whether the server was reached, and whether a write may have
// happened.

import { hasBrand, messageOf } from '@homeostat/base'
import type { TransportRequest } from '../api/transport.ts'

/** Error codes of connections that were never made, so that nothing was sent. */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'UNCONNECTED',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

const BRAND = Symbol.for('homeostat.client.connection-error')

/** No complete response arrived. A response of the server, also of a failure, is a StatusError. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly [BRAND] = true
}

/** By a brand, not by its class: the error may come from a client of another copy of this package. */
export function isConnectionError(error: unknown): error is ConnectionError {
  return hasBrand(error, BRAND)
}

export function connectionError(
  { method, path }: TransportRequest,
  cause: unknown,
  answered: boolean,
): ConnectionError {
  const what = `${method} ${path.replace(/\?.*/s, '')}`
  const text = messageOf(cause)
  if (answered) return new ConnectionError(`${what}: the response could not be read: ${text}`, { cause })
  if (UNREACHED.has(codeOf(cause) ?? ''))
    return new ConnectionError(`${what}: the server was not reached: ${text}`, { cause })
  const unknown = method === 'GET' ? '' : '; whether it was carried out is unknown'
  return new ConnectionError(`${what}: no response: ${text}${unknown}`, { cause })
}

/** The code of the error or of its causes, e.g. below the TypeError of fetch. */
function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return undefined
}
