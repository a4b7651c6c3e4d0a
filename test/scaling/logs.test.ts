// The log of a Process on several servers: whichever is asked answers, and after the one that leads is killed another goes on, and says so.

import { readFileSync } from 'node:fs'
import { shardDuty } from '@homeostat/apiserver'
import { silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
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
  // The shares of servers move when one joins, and when one had no processor for seconds: then it is told again.
  let told = await tell(all, 'told-0')
  for (let again = 1; told === undefined; again++) told = await tell(all, `told-${again}`)
  const { leader, other, logOn, goOn } = told
  const address = secureUrlIn(leader.kubeconfig)
  await leader.stop('SIGKILL')
  goOn()
  await expect
    .poll(() => logOn(other), PATIENCE)
    .toEqual([
      'after\n',
      expect.stringMatching(
        new RegExp(
          String.raw`is there, in logs/shard-\d+/[-\w]+ of its data directory: \S+Z to \S+Z: ${address.replaceAll('.', '\\.')}"`,
        ),
      ),
    ])
})

/** A Process whose log has begun, with the server that led its queue all the while; undefined if that was not one server. */
async function tell(all: readonly EtcdServer[], name: string) {
  const process = {
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata: { name },
    spec: { funcName: 'talk', conditions: { executorType: name } },
  }
  // The first Process is what starts the queue.
  expect((await call(`${all[0]?.url}${PROCESSES}`, 'POST', process)).code).toBe(201)
  const term = await termOf(all)
  const { leader } = term
  const other = all.find((server) => server !== leader) as EtcdServer
  // The executor asks the server that stays.
  const goOn = work(other, name)
  const logOn = async ({ url }: EtcdServer) => {
    const { text, headers } = await call(`${url}${PROCESSES}/${name}/log`)
    return [text, headers.get('warning')]
  }
  const hasMoved = async () => (await termOf(all)).revision !== term.revision
  const logs = () => Promise.all(all.map(logOn))
  const shown = async () => JSON.stringify(await logs()) === JSON.stringify([BEGUN, BEGUN])
  await expect.poll(async () => (await shown()) || (await hasMoved()), PATIENCE).toBe(true)
  if (!(await hasMoved())) return { leader, other, logOn, goOn }
  goOn()
  return undefined
}

const BEGUN = ['before\n', null]

/** An executor for the Process of this name. The function lets it go on. */
function work({ url }: EtcdServer, name: string): () => void {
  const client = createClient(nodeTransport({ url }))
  const going = Promise.withResolvers<void>()
  const talk = async ({ log }: { log(text: string): void }) => {
    log('before')
    await going.promise
    log('after')
  }
  const running = executor({ client, type: name, name, functions: { talk }, log: silentLog, drain: '0s' })
  onTestFinished(async () => {
    await running.close()
    client.close()
  })
  return going.resolve
}

/** The server that leads the queue of the namespace default, and the revision that names its term. */
async function termOf(servers: readonly EtcdServer[]): Promise<{ leader: EtcdServer; revision: string | undefined }> {
  const [first] = servers
  return await eventually(async () => {
    const { items = [] } = (await call(`${first?.url}${LEASES}`)).body
    const named = (name: string) => items.find(({ metadata }) => metadata.name?.endsWith(name))
    const duty = named(shardDuty('-add-on-colony', 'default'))
    const holder = (duty as Lease | undefined)?.spec?.holderIdentity
    // Its own Lease says where it is.
    const text = holder === undefined ? '' : JSON.stringify(named(holder))
    const leader = servers.find(({ kubeconfig }) => text?.includes(secureUrlIn(kubeconfig)))
    return leader && { leader, revision: duty?.metadata.resourceVersion }
  })
}

interface Lease {
  readonly spec?: { readonly holderIdentity?: string }
}

function secureUrlIn(kubeconfig: string): string {
  return /https:\/\/127\.0\.0\.1:\d+/.exec(readFileSync(kubeconfig, 'utf8'))?.[0] ?? ''
}
