// Once per run of the tests on etcd: starts a cluster of three, whose members the tests find in a variable.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const SCRIPT = join(import.meta.dirname, '../../scripts/etcd-up.ts')

export default async function setup(): Promise<() => Promise<void>> {
  // The runner resolves no sources of ours for this file.
  const cluster = spawn(process.execPath, ['--conditions=homeostat-source', SCRIPT, '--no-fsync'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(cluster.stdout)) {
    const [, endpoints] = /^ready: (.*)/.exec(line) ?? []
    if (endpoints === undefined) continue
    process.env.HOMEOSTAT_TEST_ETCD = endpoints
    cluster.stdout.resume()
    return async () => {
      const ended = once(cluster, 'close')
      cluster.kill()
      await ended
    }
  }
  throw new Error('the cluster of etcd did not start')
}
