// Three servers on a real etcd behind a balancer restart one after the other, while somebody writes and an informer of client-go
// follows: no request fails, and the informer tells every change once and in order.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { etcdMissing } from '@homeostat/store/testing/etcd/etcd-program'
import { expect, onTestFinished, test } from 'vitest'
import { Balancer } from '../rolling-restart/balancer.ts'
import { write } from '../rolling-restart/writer.ts'
import { type EtcdServer, EtcdServers, etcdForTest } from '../scaling/etcd-servers.ts'
import { buildGo } from './programs.ts'

const PATIENCE = { timeout: 120_000 }
const DELAY = ['--shutdown-delay', '1s']

test.skipIf(etcdMissing() !== undefined)('an informer sees every change once while servers restart', async () => {
  const follower = await buildGo('./follower', 'go')
  const cluster = await etcdForTest()
  const servers = new EtcdServers(cluster.endpoints)
  const running: EtcdServer[] = []
  for (let at = 0; at < 3; at++) running.push(await servers.start(...DELAY))
  const ports = running.map(portsOf)
  const plain = new Balancer(ports.map(({ http }) => http))
  const secure = new Balancer(
    ports.map(({ http }) => http),
    new Map(ports.map(({ http, https }) => [http, https])),
  )
  onTestFinished(() => {
    plain.close()
    secure.close()
  })
  const [url, secureUrl] = [await plain.listen(), await secure.listen()]
  for (const { http } of ports)
    await expect.poll(() => plain.isReady(http) && secure.isReady(http), PATIENCE).toBe(true)
  const seen = await follow(follower, kubeconfigFor(running[0] as EtcdServer, secureUrl.replace('http:', 'https:')))
  const writer = write(url)
  for (let round = 0; round < 2 * running.length; round++) {
    const at = round % running.length
    const { http, https } = ports[at] as Ports
    const ended = (running[at] as EtcdServer).stop()
    await expect.poll(() => plain.isReady(http) || secure.isReady(http), PATIENCE).toBe(false)
    await writer.writes(3)
    expect((await ended).code).toBe(0)
    const again = ['--port', `${http}`, '--secure-port', `${https}`]
    running[at] = await servers.startIn((running[at] as EtcdServer).directory, ...DELAY, ...again)
    await expect.poll(() => plain.isReady(http) && secure.isReady(http), PATIENCE).toBe(true)
    await writer.writes(3)
  }
  await writer.end()
  expect(writer.failures).toEqual([])
  await expect.poll(() => seen.at(-1), PATIENCE).toBe(writer.revisions.at(-1))
  expect(seen).toEqual(writer.revisions)
})

interface Ports {
  readonly http: number
  readonly https: number
}

function portsOf(server: EtcdServer): Ports {
  const { stdout } = server.output()
  const [, http, https] = /ready at http:\S+:(\d+) and https:\S+:(\d+)/.exec(stdout) ?? []
  return { http: Number(http), https: Number(https) }
}

/** The administrator's, for the balancer: all servers have certificates of one authority. */
function kubeconfigFor({ kubeconfig }: EtcdServer, url: string): string {
  const text = readFileSync(kubeconfig, 'utf8').replace(/https:\/\/127\.0\.0\.1:\d+/, url)
  return join(temporaryFolder({ kubeconfig: text }), 'kubeconfig')
}

/** The versions that the informer tells, in its order. */
async function follow(program: string, kubeconfig: string): Promise<string[]> {
  const env = { ...process.env, KUBECONFIG: kubeconfig, CLIENT_NAMESPACE: 'default' }
  const child = spawn(program, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const seen: string[] = []
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the informer ended with ${code}`)))
    createInterface(child.stdout).on('line', (line) => {
      const [word, , revision = ''] = line.split(' ')
      if (word === 'ok') resolve()
      else seen.push(revision)
    })
  })
  return seen
}
