// The log of a Process on several servers: whichever is asked answers, and after the one that leads is killed another goes on, and says so.

import { readFileSync } from 'node:fs'
import { shardDuty } from '@homeostat/apiserver'
import { silentLog } from '@homeostat/base'
import { createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { executor } from '@homeostat/executor'
import { etcdMissing } from '@homeostat/store/testing/etcd/etcd-program'
import { expect, onTestFinished, test } from 'vitest'
import { call } from '../http-call.ts'
import { type EtcdServer, EtcdServers, etcdForTest } from './etcd-servers.ts'

const PATIENCE = { timeout: 60_000 }
const LEASES = '/apis/coordination.k8s.io/v1/leases'
const PROCESSES = '/apis/colonies.io/v1/namespaces/default/processes'

test.skipIf(etcdMissing() !== undefined)('a log is answered by every server, and says what it lacks', async () => {
  const servers = new EtcdServers((await etcdForTest({ members: 1 })).endpoints)
  const all = [await servers.start('--runtime', 'none'), await servers.start('--runtime', 'none')]
  const submit = (name: string) =>
    call(`${all[0]?.url}${PROCESSES}`, 'POST', {
      apiVersion: 'colonies.io/v1',
      kind: 'Process',
      metadata: { name },
      spec: { funcName: 'talk', conditions: { executorType: 'talker' } },
    })
  expect((await submit('long')).code).toBe(201)
  const going = Promise.withResolvers<void>()
  const work = (url: string) => {
    const client = createClient(nodeTransport({ url }))
    const talk = async ({ log }: { log(text: string): void }) => {
      log('before')
      await going.promise
      log('after')
    }
    const running = executor({
      client,
      type: 'talker',
      name: 'talker',
      functions: { talk },
      log: silentLog,
      drain: '0s',
    })
    onTestFinished(async () => {
      await running.close()
      client.close()
    })
  }
  const leader = await leaderOf(all)
  const other = all.find((server) => server !== leader) as EtcdServer
  const logOn = async (url: string) => {
    const { text, headers } = await call(`${url}${PROCESSES}/long/log`)
    return [text, headers.get('warning')]
  }
  // The executor asks the server that stays.
  work(other.url)
  for (const { url } of all) await expect.poll(() => logOn(url), PATIENCE).toEqual(['before\n', null])
  const address = secureUrlIn(leader.kubeconfig)
  await leader.stop('SIGKILL')
  going.resolve()
  await expect
    .poll(() => logOn(other.url), PATIENCE)
    .toEqual([
      'after\n',
      expect.stringMatching(
        new RegExp(
          String.raw`is there, in logs/shard-\d+/[-\w]+ of its data directory: \S+Z to \S+Z: ${address.replaceAll('.', '\\.')}"`,
        ),
      ),
    ])
})

/** The one that leads the queue of the namespace default. */
async function leaderOf(servers: readonly EtcdServer[]): Promise<EtcdServer> {
  const [first] = servers
  const leader = async () => {
    const { items = [] } = (await call(`${first?.url}${LEASES}`)).body
    const named = (name: string) => items.find(({ metadata }) => metadata.name?.endsWith(name))
    const holder = (named(shardDuty('-add-on-colony', 'default')) as Lease | undefined)?.spec?.holderIdentity
    // Its own Lease says where it is.
    const text = holder === undefined ? '' : JSON.stringify(named(holder))
    return servers.find(({ kubeconfig }) => text?.includes(secureUrlIn(kubeconfig)))
  }
  await expect.poll(leader, PATIENCE).toBeDefined()
  return (await leader()) as EtcdServer
}

interface Lease {
  readonly spec?: { readonly holderIdentity?: string }
}

function secureUrlIn(kubeconfig: string): string {
  return /https:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(kubeconfig, 'utf8'))?.[0] ?? ''
}
