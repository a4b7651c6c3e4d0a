// Operators that share their objects, as real processes that are killed and stopped.

import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { eventually } from '@homeostat/base/testing/eventually'
import type { ApiObject, Client } from '@homeostat/client'
import { expect, it, onTestFinished } from 'vitest'
import { servedClient } from '../client/served-client.ts'
import { spawnScript } from '../server-process.ts'

const WORKER = join(import.meta.dirname, 'shard-worker.ts')
const NAMESPACE = 'default'

interface Shared extends ApiObject {
  data?: { round?: string; run?: string; step?: string }
}

async function staged(count: number) {
  const { client, url, close } = await servedClient()
  onTestFinished(close)
  const maps = client.resourceOf<Shared>('v1', 'ConfigMap')
  const names = Array.from({ length: count }, (_, at) => `shared-${at}`)
  await Promise.all(
    names.map((name) => {
      const metadata = { name, namespace: NAMESPACE, labels: { shared: 'yes' } }
      return maps.create({ metadata, data: { round: '0' } })
    }),
  )
  const next = (round: number) =>
    Promise.all(names.map((name) => maps.patch({ name, namespace: NAMESPACE }, { data: { round: String(round) } })))
  return { client, url, names, next }
}

/** Starts a process. `lines` has what it reconciled, as `process object round`. */
function start(url: string, name: string, lines: Set<string>, options: object = {}): ChildProcess {
  const child = spawnScript(WORKER, [url, name, JSON.stringify(options)])
  let rest = ''
  child.stdout?.on('data', (chunk) => {
    const read = `${rest}${chunk}`.split('\n')
    rest = read.pop() ?? ''
    for (const line of read) lines.add(line)
  })
  child.stderr?.on('data', (chunk) => process.stderr.write(chunk))
  return child
}

/** Waits until the processes have yielded to each other: then each acts. */
async function untilShared(client: Client, processes: number): Promise<void> {
  const leases = client.resource('coordination.k8s.io/v1', 'Lease')
  await eventually(async () => {
    const { items } = await leases.list({ namespace: NAMESPACE, labelSelector: 'homeostat.dev/shared-by=shared' })
    const yields = items.map(({ metadata }) => metadata.annotations?.['homeostat.dev/yields']?.split(',').length)
    return items.length === processes && yields.every((count) => count === processes - 1)
  })
}

it('three processes reconcile each of 200 objects in one of them, also after one was killed', async () => {
  const { client, url, names, next } = await staged(200)
  const lines = new Set<string>()
  const [a] = ['a', 'b', 'c'].map((name) => start(url, name, lines))
  const reconciledBy = (round: number) => {
    const by = new Map<string, string[]>(names.map((name) => [name, []]))
    for (const line of lines) {
      const [process = '', name = '', seen] = line.split(' ')
      if (seen === String(round)) by.get(name)?.push(process)
    }
    return by
  }
  const all = (round: number) => [...reconciledBy(round).values()].every((processes) => processes.length > 0)
  await untilShared(client, 3)
  await next(1)
  await eventually(() => all(1))
  const first = reconciledBy(1)
  expect([...first.values()].map((processes) => processes.length)).toEqual(names.map(() => 1))
  const counts = ['a', 'b', 'c'].map((name) => [...first.values()].filter(([process]) => process === name).length)
  for (const count of counts) expect(count).toBeGreaterThan(30)

  a?.kill('SIGKILL')
  await next(2)
  await eventually(() => all(2))
  const second = reconciledBy(2)
  expect([...second.values()].map((processes) => processes.length)).toEqual(names.map(() => 1))
  // What was not the killed one's stays where it was.
  for (const [name, [process]] of first) if (process !== 'a') expect(second.get(name)).toEqual([process])
})

it('a stopped process that goes on does not write what another has taken over', async () => {
  const { client, url, names } = await staged(16)
  const shards = { lease: '6s', renew: '4s', retry: '500ms' }
  const lines = new Set<string>()
  /** The names of the reconciles that wrote each object, in the order of writes. */
  const writes = new Map<string, string[]>(names.map((name) => [name, []]))
  const ending = new AbortController()
  const watching = follow(client, writes, ending.signal)
  const owner = (name: string) => writes.get(name)?.at(-1)?.split('-')[0]
  const [a] = ['a', 'b'].map((name) => start(url, name, lines, { shards, steps: 4 }))
  await eventually(() => new Set(names.map(owner)).size === 2 && names.every((name) => owner(name) !== undefined))
  await untilShared(client, 2)
  await eventually(() => names.some((name) => owner(name) === 'a'))
  a?.kill('SIGSTOP')
  await eventually(() => names.every((name) => owner(name) === 'b'))
  /** By object: how many writes there were when the other process had taken over. */
  const taken = new Map([...writes].map(([name, runs]) => [name, runs.length]))
  a?.kill('SIGCONT')
  // It joins again, and gets its objects back.
  await eventually(() => names.some((name) => owner(name) === 'a'))
  ending.abort()
  await watching
  for (const [name, runs] of writes) {
    const before = runs.slice(0, taken.get(name)).filter((run) => run.startsWith('a-'))
    expect(runs.slice(taken.get(name)).filter((run) => before.includes(run))).toEqual([])
  }
})

async function follow(client: Client, writes: Map<string, string[]>, signal: AbortSignal): Promise<void> {
  const select = { namespace: NAMESPACE, labelSelector: 'shared=yes', signal }
  try {
    for await (const { object } of client.resourceOf<Shared>('v1', 'ConfigMap').watch(select)) {
      const { run } = object.data ?? {}
      if (run !== undefined) writes.get(object.metadata.name ?? '')?.push(run)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
