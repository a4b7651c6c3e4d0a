// Without a login, who may talk to the server is decided by where the request comes from and whom it thinks it talks
// to. A web page must not be able to reach it: neither by a request from another origin, nor by a name it controls
// that resolves to 127.0.0.1.

import type { IncomingHttpHeaders } from 'node:http'
import { forbidden, type StatusError } from '@homeostat/meta'

/** Why the request is refused, or undefined. */
export function refuseForeign(headers: IncomingHttpHeaders): StatusError | undefined {
  const { host, origin } = headers
  if (host !== undefined && !isLoopbackAuthority(host)) {
    return forbidden(
      { group: '', resource: '' },
      `the Host header says ${JSON.stringify(host)}; this server answers only to localhost, 127.0.0.1 and [::1]`,
    )
  }
  if (origin !== undefined && !isLoopbackOrigin(origin)) {
    return forbidden({ group: '', resource: '' }, `a page from ${JSON.stringify(origin)} may not use this server`)
  }
  return undefined
}

export function isLoopbackHost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}

function isLoopbackAuthority(authority: string): boolean {
  if (KNOWN.has(authority)) return true
  const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(authority)
  const ok = name !== null && isLoopbackHost((name[1] ?? name[2] ?? '').toLowerCase())
  if (ok && KNOWN.size < 64) KNOWN.add(authority)
  return ok
}

/** The same few come with every request. */
const KNOWN = new Set<string>()

function isLoopbackOrigin(origin: string): boolean {
  const scheme = /^https?:\/\/(.+)$/.exec(origin)
  return scheme !== null && isLoopbackAuthority(scheme[1] ?? '')
}
