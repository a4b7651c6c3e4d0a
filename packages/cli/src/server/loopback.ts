// The addresses on which the server may listen. Without TLS and authentication that is only loopback, since anyone who
// reaches the server can write.

import { isIPv4 } from 'node:net'
import { usageFault } from '../fault.ts'

/** The address to listen on; refuses any that another machine could reach. */
export function loopbackAddress(host: string): string {
  if (host === 'localhost') return '127.0.0.1'
  if (host === '::1' || host === '[::1]') return '::1'
  if (isIPv4(host) && host.startsWith('127.')) return host
  throw usageFault(
    `--host ${host}: other machines could reach this address, and the server has neither TLS nor login yet; ` +
      'use 127.0.0.1 or ::1, and an SSH tunnel to come from elsewhere',
  )
}

export function baseUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
