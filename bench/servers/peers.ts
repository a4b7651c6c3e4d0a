// Several servers on one etcd, with the same keys.

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Lab } from '../lab.ts'
import { type Etcd, startEtcdFor } from './etcd.ts'
import type { Started } from './homeostat.ts'
import { secureFlags } from './secure.ts'

export interface Peers {
  readonly servers: readonly Started[]
  readonly etcd: Etcd
}

export async function startPeers(lab: Lab, counts: { servers: number; members: number }): Promise<Peers> {
  const etcd = await startEtcdFor(lab, counts.members)
  const first = await lab.startWithDefinition(undefined, [...etcd.flags, ...(await secureFlags())])
  const servers = [first]
  while (servers.length < counts.servers) {
    const directory = lab.newDirectory()
    cpSync(join(first.directory, 'pki'), join(directory, 'pki'), { recursive: true })
    servers.push(await lab.start(directory, undefined, [...etcd.flags, ...(await secureFlags())]))
  }
  return { servers, etcd }
}
