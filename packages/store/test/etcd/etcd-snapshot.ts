// Snapshots of a cluster: taken from a member as `etcdctl snapshot save` does, and restored as docs/adr/0047 asks for. The cluster
// for tests calls it.

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { etcdutlProgram } from './etcd-program.ts'

/** No server has given out such numbers since the snapshot, and watches from before are told so. */
const BUMP = ['--bump-revision', '1000000000', '--mark-compacted']

/** Writes what the member has to the file, and resolves to its revision. */
export async function saveSnapshot(clientUrl: string, file: string): Promise<number> {
  const response = await fetch(new URL('/v3/maintenance/snapshot', clientUrl), { method: 'POST', body: '{}' })
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  const parts = lines.map((line) => JSON.parse(line) as { result?: { blob?: string }; error?: { message: string } })
  const failed = parts.find(({ error }) => error !== undefined)
  if (!response.ok || failed !== undefined) throw new Error(`no snapshot of ${clientUrl}: ${failed?.error?.message}`)
  writeFileSync(file, Buffer.concat(parts.map(({ result }) => Buffer.from(result?.blob ?? '', 'base64'))))
  const { revision } = JSON.parse(await etcdutl('snapshot', 'status', file, '-w', 'json')) as { revision: number }
  return revision
}

export interface RestoredMember {
  readonly name: string
  readonly dataDirectory: string
  readonly peerUrl: string
  readonly initialCluster: string
  readonly token: string
}

/** Makes the data directory of a member out of a snapshot. */
export async function restoreSnapshot(file: string, member: RestoredMember): Promise<void> {
  await etcdutl(
    ...['snapshot', 'restore', file, '--name', member.name, '--data-dir', member.dataDirectory, ...BUMP],
    ...['--initial-cluster', member.initialCluster, '--initial-cluster-token', member.token],
    ...['--initial-advertise-peer-urls', member.peerUrl],
  )
}

async function etcdutl(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(await etcdutlProgram(), args)).stdout
}
