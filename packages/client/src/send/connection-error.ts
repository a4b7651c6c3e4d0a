// What a caller is told when no whole answer came: whether the server was reached at all, and what that means for a write.

import { messageOf } from '@homeostat/base'
import type { TransportRequest } from '../api/transport.ts'

/** Nothing was sent when one of these happened. */
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

/** No whole answer came. What the server answered, failures included, is a StatusError. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

export function connectionError(
  { method, path }: TransportRequest,
  cause: unknown,
  answered: boolean,
): ConnectionError {
  const what = `${method} ${path.replace(/\?.*/s, '')}`
  const text = messageOf(cause)
  if (answered) return new ConnectionError(`${what}: the answer could not be read: ${text}`, { cause })
  if (UNREACHED.has(codeOf(cause) ?? ''))
    return new ConnectionError(`${what}: the server was not reached: ${text}`, { cause })
  const unknown = method === 'GET' ? '' : '; whether it was carried out is unknown'
  return new ConnectionError(`${what}: no answer: ${text}${unknown}`, { cause })
}

/** Of the error itself or of what caused it, e.g. under the TypeError of fetch. */
function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return undefined
}
