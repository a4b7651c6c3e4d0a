// An informer of ours against the one of @kubernetes/client-node: the same server and objects, each in a process of its
// own that starts anew for every measurement. Medians of five in turns.

import { type ChildProcess, fork } from 'node:child_process'
import { atMostTimes, atMostTimesMemory } from '../finding.ts'
import type { Said } from '../informers/watched.ts'
import { COLLECTION } from '../items/item.ts'
import { largeItemBody } from '../items/large-item.ts'
import { requestText } from '../items/request-text.ts'
import type { Lab } from '../lab.ts'
import { installIn } from '../npm-folder.ts'
import { peakMiB, settledCpuUs } from '../process-usage.ts'
import { group } from '../row.ts'
import { type Server, track } from '../servers/server.ts'

const ITEMS = 10_000
const RATE = 1000
const ROUNDS = 5
const LONGEST_MS = 60_000

const PROGRAMS = {
  ours: new URL('../informers/ours.ts', import.meta.url),
  'client-node': new URL('../informers/client-node.ts', import.meta.url),
  writer: new URL('../informers/writer.ts', import.meta.url),
}

interface Seen {
  readonly syncedMs: number
  readonly peakMiB: number
  readonly p99Ms: number
}

interface Both {
  readonly ours: Seen
  readonly reference: Seen
}

export const informers = group(open, [
  {
    work: 'informer, 10,000 objects of 4.5 KB: from its start until all are told',
    async measure(site, work) {
      const { ours, reference } = await site()
      return atMostTimes(work, { ours: ours.syncedMs * 1000, reference: reference.syncedMs * 1000, unit: 'time' }, 0.65)
    },
  },
  {
    work: 'informer, 10,000 objects of 4.5 KB, then 1,000 changes per second: peak memory of the process',
    async measure(site, work) {
      const { ours, reference } = await site()
      return atMostTimesMemory(work, ours.peakMiB, reference.peakMiB, 0.6)
    },
  },
  {
    work: 'informer, 10,000 objects of 4.5 KB, 1,000 changes per second: p99 from the request to the handler',
    async measure(site, work) {
      const { ours, reference } = await site()
      return atMostTimes(work, { ours: ours.p99Ms * 1000, reference: reference.p99Ms * 1000, unit: 'time' }, 1)
    },
  },
])

/** All rows tell of the same runs. */
async function open(lab: Lab): Promise<() => Promise<Both>> {
  // The tests with real clients have it; it is installed where they look for it.
  installIn(new URL('../../test/clients/node/', import.meta.url), '@kubernetes/client-node')
  const server = await lab.startWithDefinition()
  const text = requestText(server.port, { method: 'POST', path: COLLECTION, body: largeItemBody() })
  await lab.load.runAll({ port: server.port, connections: 64, count: ITEMS, status: 201, text })
  let both: Promise<Both> | undefined
  return () => {
    both ??= compare(server, lab.count(4 * RATE))
    return both
  }
}

async function compare(server: Server, changes: number): Promise<Both> {
  const ours: Seen[] = []
  const reference: Seen[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await observe('ours', server, changes))
    reference.push(await observe('client-node', server, changes))
  }
  return { ours: medians(ours), reference: medians(reference) }
}

async function observe(program: 'ours' | 'client-node', { port, pid }: Server, changes: number): Promise<Seen> {
  // What the server still does for the changes before is not to be measured.
  await settledCpuUs(pid)
  const informer = start(program, [port, ITEMS, changes])
  try {
    const { syncedMs } = (await said(informer)) as Said & { syncedMs: number }
    const writer = start('writer', [port, ITEMS, changes, RATE])
    const { p99Ms } = (await said(informer)) as Said & { p99Ms: number }
    writer.kill('SIGKILL')
    return { syncedMs, p99Ms, peakMiB: peakMiB(informer.pid ?? 0) }
  } finally {
    informer.kill('SIGKILL')
  }
}

function start(program: keyof typeof PROGRAMS, args: readonly number[]): ChildProcess {
  const execArgv = ['--conditions=homeostat-source']
  return track(fork(PROGRAMS[program], args.map(String), { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }))
}

function said(child: ChildProcess): Promise<Said> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('an informer did not tell of everything')), LONGEST_MS)
    const ended = () => reject(new Error('an informer ended'))
    child.once('exit', ended)
    child.once('message', (message: Said) => {
      clearTimeout(late)
      child.off('exit', ended)
      resolve(message)
    })
  })
}

function medians(all: readonly Seen[]): Seen {
  const median = (of: (seen: Seen) => number) => all.map(of).sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN
  return {
    syncedMs: median(({ syncedMs }) => syncedMs),
    peakMiB: median(({ peakMiB }) => peakMiB),
    p99Ms: median(({ p99Ms }) => p99Ms),
  }
}
