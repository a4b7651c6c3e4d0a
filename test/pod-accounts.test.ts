// Programs of Pods reach the server as in a cluster: kubectl and our own client, inside a Pod of `--runtime process`.

import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { startServer } from './server-process.ts'
import { need } from './tools.ts'

const run = promisify(execFile)
const kubectl = need('kubectl')
const main = join(import.meta.dirname, '../packages/cli/src/main.ts')
const homeostat = [process.execPath, '--conditions=homeostat-source', '--disable-warning=ExperimentalWarning', main]

function pod(name: string, script: string, more: object = {}) {
  const containers = [{ name: 'main', image: 'none', command: ['sh', '-c', script] }]
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { restartPolicy: 'Never', containers, ...more } }
}

test.skipIf(kubectl.missing)(
  'a Pod is its service account, for kubectl and for our client, unless it wants none',
  async () => {
    const directory = temporaryFolder()
    const server = await startServer(directory, ['--secure', '--secure-port', '0', '--runtime', 'process'])
    const env = { ...process.env, KUBECONFIG: server.kubeconfig }
    const command = (...args: string[]) => run(kubectl.path ?? '', args, { env })
    const create = (object: object) => {
      const created = run(kubectl.path ?? '', ['create', '-f', '-'], { env })
      created.child.stdin?.end(JSON.stringify(object))
      return created
    }
    const ended = (name: string) =>
      command('wait', `pod/${name}`, '--for=jsonpath={.status.phase}=Succeeded', '--timeout=60s')
    const who = `${kubectl.path} auth whoami -o 'jsonpath={.status.userInfo.username}{"\\n"}'`
    const own = `env -u KUBECONFIG ${homeostat.map((part) => `'${part}'`).join(' ')} get pods`
    await create(pod('one', `${who}; ls -l "$HOMEOSTAT_SERVICE_ACCOUNT/token" | cut -c1-10; ${own} 2>&1; true`))
    await create(
      pod('two', 'echo "[$KUBERNETES_SERVICE_HOST$KUBECONFIG$HOMEOSTAT_SERVICE_ACCOUNT]"', {
        automountServiceAccountToken: false,
      }),
    )
    await Promise.all([ended('one'), ended('two')])
    const { stdout } = await command('logs', 'one')
    expect(stdout).toContain('system:serviceaccount:default:default\n-rw-------\n')
    expect(stdout).toContain('User "system:serviceaccount:default:default" cannot list resource "pods"')
    expect((await command('logs', 'two')).stdout).toBe('[]\n')
    const folder = join(directory, 'runtimes/accounts')
    expect(readdirSync(folder)).toHaveLength(1)
    await command('delete', 'pod', 'one', 'two', '--now')
    await expect.poll(() => existsSync(folder) && readdirSync(folder)).toEqual([])
  },
)
