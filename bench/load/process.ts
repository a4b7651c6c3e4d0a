// The load generator's process: does what the bench asks over IPC, one command at a time, and ends with it.

import { openHttp2Watches } from './http2-watches.ts'
import { summarize, type Times } from './latencies.ts'
import type { Command, LoadResult, Reply, Request } from './protocol.ts'
import { PullerCrowd } from './puller-crowd.ts'
import { RequestRun } from './request-run.ts'
import { WatcherCrowd } from './watcher-crowd.ts'

let requests: { run: RequestRun; count: number } | undefined
let crowd: WatcherCrowd | undefined
let pullers: PullerCrowd | undefined

process.on('message', (request: Request) => void answer(request))
process.on('disconnect', () => process.exit(0))

async function answer({ id, command }: Request): Promise<void> {
  try {
    reply({ id, result: await obey(command) })
  } catch (error) {
    reply({ id, error: error instanceof Error ? error.message : String(error) })
  }
}

async function obey(command: Command): Promise<LoadResult | undefined> {
  switch (command.do) {
    case 'open':
      requests = { run: await RequestRun.open(command.plan), count: command.plan.count }
      return undefined
    case 'watch':
      crowd = await WatcherCrowd.open(command.plan)
      return undefined
    case 'watchHttp2':
      await openHttp2Watches(command.plan)
      return undefined
    case 'run':
      return run(command.times, command.watched)
    case 'executors':
      pullers = await PullerCrowd.open(command.plan)
      return undefined
    case 'pull':
      return summarize([await opened(pullers).pull(command.count)])
    case 'wake':
      return summarize([await opened(pullers).wake(command.times, () => opened(requests).run.run())])
    case 'close':
      requests?.run.close()
      return undefined
  }
}

async function run(times: number, watched: boolean): Promise<LoadResult> {
  const { run, count } = opened(requests)
  const runs: Times[] = []
  for (let i = 0; i < times; i++) {
    runs.push(watched ? await opened(crowd).deliver(count, () => run.run()) : await run.run())
  }
  return summarize(runs)
}

function opened<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing is open')
  return value
}

function reply(message: Reply): void {
  process.send?.(message)
}
