import type { Api } from '@homeostat/apiserver'
import { ManualClock } from '@homeostat/base'
import { expect, it } from 'vitest'
import { ProcessQueue } from '../queue/process-queue.ts'
import type { Puller } from '../queue/queued-process.ts'
import { Assignments } from './assignments.ts'
import { ColonyMetrics } from './colony-metrics.ts'
import { RunEvents } from './run-events.ts'
import { Steps } from './steps.ts'

const NO_LIMIT = { cpu: Number.POSITIVE_INFINITY, memory: Number.POSITIVE_INFINITY }
const puller: Puller = { namespace: 'lab', name: 'e1', type: 'ml', functions: [], location: '', ...NO_LIMIT }

it('nobody waits for an executor that was deleted while its last processes were closed', async () => {
  // Nothing is assigned, so nothing is written.
  const api = {} as Api
  const assignments = new Assignments({
    api,
    steps: new Steps(api, { put: async () => {} }),
    runs: new RunEvents(api, { record() {} }),
    queue: new ProcessQueue(),
    clock: new ManualClock(0),
    metrics: new ColonyMetrics(() => 0),
    released() {},
  })
  let isThere = true
  const ends = Promise.withResolvers<void>()
  const gone = new AbortController()
  const take = (wait: Promise<void> | undefined) =>
    assignments.take(puller, { max: 1, waitMs: 60_000, ends: wait, isThere: () => isThere }, gone.signal)
  const waits = take(undefined)
  const closes = take(ends.promise)
  await expect.poll(() => assignments.waiting).toBe(1)
  isThere = false
  ends.resolve()
  expect(await closes).toEqual([])
  expect(assignments.waiting).toBe(1)
  gone.abort()
  expect(await waits).toEqual([])
})
