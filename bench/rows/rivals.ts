// Whole queues against each other: 50 workers, jobs added one by one from 50 places, until all are done. Each client is in a
// process of its own; ours are executors of the SDK. What is not installed here is left out, with a word.

import { type ChildProcess, fork } from 'node:child_process'
import { atLeastTimes, atMostCpu, type Finding, reported, unmeasured } from '../finding.ts'
import type { Lab } from '../lab.ts'
import { type Cost, interleave } from '../measure.ts'
import { installIn } from '../npm-folder.ts'
import { settledCpuUs } from '../process-usage.ts'
import type { Asked, Said } from '../rivals/queue-program.ts'
import { group } from '../row.ts'
import { postgresPrograms, startPostgres } from '../servers/postgres.ts'
import { hasRedis, startRedis } from '../servers/redis.ts'
import { track } from '../servers/server.ts'

const JOBS = 2500
const LONGEST_MS = 300_000
const CPU_ROUNDS = 8
const CPU_BAR_MS = 0.28

const PROGRAMS = {
  homeostat: new URL('../rivals/homeostat.ts', import.meta.url),
  'graphile-worker': new URL('../rivals/graphile-worker.ts', import.meta.url),
  bullmq: new URL('../rivals/bullmq.ts', import.meta.url),
}

/** Jobs per second. */
interface Both {
  readonly ours: number
  readonly theirs: number
}

export const rivals = group(open, [
  {
    work: 'jobs per second from being added until done, 50 workers, against graphile-worker on PostgreSQL',
    async measure(lab, work): Promise<Finding> {
      const programs = postgresPrograms()
      if (programs === undefined) return reported(work, '', '', 'left out: PostgreSQL is not installed')
      const { host } = lab.keep(await startPostgres(programs))
      const { ours, theirs } = await compare(lab, 'graphile-worker', host)
      return atLeastTimes(work, { ours, reference: theirs, unit: 'jobs/s' }, 1)
    },
  },
  {
    work: 'jobs per second from being added until done, 50 workers, against BullMQ on Redis (appendfsync always)',
    async measure(lab, work): Promise<Finding> {
      if (!hasRedis()) return reported(work, '', '', 'left out: Redis is not installed')
      const { socket } = lab.keep(await startRedis(lab.newDirectory()))
      const { ours, theirs } = await compare(lab, 'bullmq', socket)
      return atLeastTimes(work, { ours, reference: theirs, unit: 'jobs/s' }, 0.6)
    },
  },
  {
    work: 'the same with 50 executors of one worker each, beside BullMQ',
    async measure(lab, work): Promise<Finding> {
      if (!hasRedis()) return reported(work, '', '', 'left out: Redis is not installed')
      const { socket } = lab.keep(await startRedis(lab.newDirectory()))
      const { ours, theirs } = await compare(lab, 'bullmq', socket, 50)
      return reported(work, rate(ours), rate(theirs), `${(ours / theirs).toFixed(2)}x`)
    },
  },
  {
    work: 'server CPU for a job from being added until done, 50 workers',
    async measure(lab, work): Promise<Finding> {
      const server = await lab.start(lab.newDirectory())
      const ours = await start('homeostat', `http://127.0.0.1:${server.port}`)
      const count = lab.count(JOBS)
      const rounds: Cost[] = []
      try {
        for (let round = 0; round < CPU_ROUNDS; round++) {
          const before = await settledCpuUs(server.pid)
          const ms = await timeOf(ours, count)
          const cpuUs = ((await settledCpuUs(server.pid)) - before) / count
          // The first half warms up: a queue runs for days.
          if (round >= CPU_ROUNDS / 2) rounds.push({ cpuUs, wallUs: (ms * 1000) / count, p50Ms: 0, p99Ms: 0 })
        }
      } finally {
        ours.kill('SIGKILL')
      }
      const [best] = rounds.sort((a, b) => a.cpuUs - b.cpuUs)
      return best === undefined ? unmeasured(work) : atMostCpu(work, best, CPU_BAR_MS)
    },
  },
])

async function open(lab: Lab): Promise<Lab> {
  installIn(new URL('../rivals/', import.meta.url), 'graphile-worker')
  return lab
}

/** One executor with 50 functions at a time, as the others have one worker; or several. */
async function compare(lab: Lab, program: 'graphile-worker' | 'bullmq', where: string, executors = 1): Promise<Both> {
  const { port } = await lab.start(lab.newDirectory())
  const count = lab.count(JOBS)
  const ours = await start('homeostat', `http://127.0.0.1:${port}`, executors)
  const theirs = await start(program, where)
  try {
    const { ours: our, bare: their } = await interleave(
      (ms) => ms,
      () => timeOf(ours, count),
      () => timeOf(theirs, count),
      1,
    )
    return { ours: (count / our) * 1000, theirs: (count / their) * 1000 }
  } finally {
    for (const child of [ours, theirs]) child.kill('SIGKILL')
  }
}

async function start(program: keyof typeof PROGRAMS, where: string, executors = 1): Promise<ChildProcess> {
  const execArgv = ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning']
  // What graphile-worker prints is not for the table.
  const child = track(
    fork(PROGRAMS[program], [where, String(executors)], { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  )
  await said(child)
  return child
}

async function timeOf(child: ChildProcess, count: number): Promise<number> {
  const answer = said(child)
  child.send({ count } satisfies Asked)
  return ((await answer) as Said).ms
}

function said(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('a queue did not get its jobs done')), LONGEST_MS)
    const ended = () => reject(new Error('the program of a queue ended'))
    child.once('exit', ended)
    child.once('message', (message) => {
      clearTimeout(late)
      child.off('exit', ended)
      resolve(message)
    })
  })
}

function rate(perSecond: number): string {
  return `${Math.round(perSecond)} jobs/s`
}
