// Executors on a colony in memory that end with their test, and functions that the test lets end.

import { silentLog } from '@homeostat/base'
import { onTestFinished } from 'vitest'
import { executor } from './executor.ts'
import type { FakeColony } from './fake-colony.fixture.ts'
import type { ExecutorOptions, RunningExecutor } from './options.ts'

export function start(colony: FakeColony, options: Partial<ExecutorOptions> = {}): RunningExecutor {
  const running = executor({
    type: 'python',
    functions: { work: () => 'done' },
    colony: 'lab',
    client: colony.client,
    log: silentLog,
    drain: '50ms',
    random: () => 0.5,
    prefetch: 0,
    ...options,
  })
  onTestFinished(() => running.close())
  return running
}

/** A function that ends when told, or with its signal. */
export function gate() {
  const begun: string[] = []
  const reasons: string[] = []
  const release = Promise.withResolvers<unknown>()
  const work: ExecutorOptions['functions'][string] = ({ signal, process }) => {
    begun.push(process.metadata.name ?? '')
    const aborted = new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reasons.push((signal.reason as Error).message)
        reject(signal.reason)
      })
    })
    return Promise.race([release.promise, aborted])
  }
  return { begun, reasons, work, release: release.resolve }
}
