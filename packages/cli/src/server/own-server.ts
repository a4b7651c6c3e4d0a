// The server of a data directory, as it wrote itself into its own kubeconfig: for verbs that work on the directory alone.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault, systemCode } from '../fault.ts'

/** Throws a Fault for a server without TLS. */
export function ownServer(directory: string): { server: string; serverName: string | undefined } {
  const own = readOwn(join(directory, 'kubeconfig'))
  const server = /^ +server: "(https:[^"]+)"$/m.exec(own)?.[1]
  if (server === undefined)
    throw new Fault('the server of this data directory has no TLS; start it with --secure, or name it with --address')
  return { server, serverName: /^ +tls-server-name: (\S+)$/m.exec(own)?.[1] }
}

function readOwn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Fault(`${file} cannot be read (${systemCode(cause)}); name the server with --address`, { cause })
  }
}
