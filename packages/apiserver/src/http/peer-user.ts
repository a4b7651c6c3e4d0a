// Which user of this machine holds the other end of a loopback connection, as Linux tells in /proc/net. A server that
// runs programs asks: on loopback alone, every user of the machine could have them run under its own.

import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

/** Undefined when it cannot be told: another system, or the other end is gone. */
export function peerUser({ remoteAddress, remotePort, localAddress, localPort }: Socket): number | undefined {
  if (remoteAddress === undefined || remotePort === undefined) return undefined
  if (localAddress === undefined || localPort === undefined) return undefined
  // From the other end, what is remote here is local.
  const ends = {
    local: { address: remoteAddress, port: remotePort },
    remote: { address: localAddress, port: localPort },
  }
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const user = userInTable(readTable(table), ends)
    if (user !== undefined) return user
  }
  return undefined
}

interface End {
  readonly address: string
  readonly port: number
}

/** The user of the socket between the two ends, from a table as /proc/net/tcp and tcp6 are. */
export function userInTable(table: string, ends: { readonly local: End; readonly remote: End }): number | undefined {
  const forms = { local: hexForms(ends.local), remote: hexForms(ends.remote) }
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', , , , , uid = ''] = line.trim().split(/\s+/)
    if (forms.local.includes(local) && forms.remote.includes(remote)) return Number(uid)
  }
  return undefined
}

function readTable(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** As IPv4, and as IPv4 inside IPv6; each group of four bytes is in the order of the machine, which is little endian. */
function hexForms({ address, port }: End): string[] {
  const at = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  if (address === '::1') return [`00000000000000000000000001000000${at}`]
  const bytes = address
    .replace(/^::ffff:/i, '')
    .split('.')
    .map(Number)
  if (bytes.length !== 4) return []
  const hex = bytes
    .reverse()
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('')
  return [`${hex}${at}`, `0000000000000000FFFF0000${hex}${at}`]
}
