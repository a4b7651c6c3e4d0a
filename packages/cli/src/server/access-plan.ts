// Decides on which addresses the server listens, with and without TLS. Plain HTTP makes its callers administrators, so it
// is only for this machine, and only where the system tells which user a connection is of.

import { isIP, isIPv4 } from 'node:net'
import { usageFault } from '../fault.ts'

export interface AccessOptions {
  readonly platform: NodeJS.Platform
  readonly host: string
  readonly secure: boolean
  readonly plainHttp: 'auto' | 'on' | 'off'
  /** Whether --local-users lets every user of this machine in. */
  readonly allLocalUsers: boolean
}

/** Addresses to listen on; undefined for none. One of them is there. */
export interface AccessPlan {
  readonly plain: string | undefined
  readonly secure: string | undefined
}

export function planAccess({ platform, host, secure, plainHttp, allLocalUsers }: AccessOptions): AccessPlan {
  const address = listenAddress(host)
  const onlyHere = isLoopback(address)
  const isPlainSafe = onlyHere && (platform === 'linux' || allLocalUsers)
  const isPlain = plainHttp === 'on' || (plainHttp === 'auto' && isPlainSafe)
  return {
    plain: isPlain ? (onlyHere ? address : '127.0.0.1') : undefined,
    secure: secure || !onlyHere || !isPlain ? address : undefined,
  }
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'))
}

/** `http://` or `https://` and the address. */
export function baseUrl(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The address at which this machine itself reaches a server that listens on `address`. */
export function localAddress(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}

function listenAddress(host: string): string {
  if (host === 'localhost') return '127.0.0.1'
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) === 0)
    throw usageFault(
      `--host ${host}: this is no address; use 127.0.0.1 for this machine alone, 0.0.0.0 for others too, and --tls-san ` +
        'for names by which they reach it',
    )
  return address
}
