import type { Api } from '@homeostat/apiserver'
import { ManualClock } from '@homeostat/base'
import { expect, it } from 'vitest'
import { AttemptEvents } from '../events/attempt-events.ts'
import { ColonyMetrics } from '../metrics/colony-metrics.ts'
import { Requeue } from '../processes/requeue.ts'
import { TransitionWriter } from '../processes/transition-writer.ts'
import { ProcessQueue } from '../queue/process-queue.ts'
import { puller } from '../queue/queued-process.fixture.ts'
import { AssignmentWriter } from './assignment-writer.ts'
import { pull } from './pull.ts'
import { WaitingCalls } from './waiting-calls.ts'

it('a call does not wait for an executor that was deleted while its last processes were closed', async () => {
  // Nothing is assigned, so nothing is written.
  const api = {} as Api
  const clock = new ManualClock(0)
  const queue = new ProcessQueue()
  const calls = new WaitingCalls(clock)
  const transitions = new TransitionWriter(api, { put: async () => {} })
  const writer = new AssignmentWriter({
    api,
    queue,
    writer: transitions,
    requeue: new Requeue(transitions, clock),
    clock,
    metrics: new ColonyMetrics(clock, { queue, executors: new Map() }),
    attemptEvents: new AttemptEvents(api, { record() {} }),
    released() {},
  })
  let isRegistered = true
  const closing = Promise.withResolvers<void>()
  const gone = new AbortController()
  const call = (closes: Promise<void> | undefined) =>
    pull(
      { queue, calls, writer, clock },
      { puller: puller(), max: 1, ahead: 0, waitMs: 60_000, closes, isRegistered: () => isRegistered },
      gone.signal,
    )
  const waits = call(undefined)
  const closes = call(closing.promise)
  // The second is parked while it closes, too.
  await expect.poll(() => calls.size).toBe(2)
  isRegistered = false
  closing.resolve()
  expect(await closes).toEqual([])
  expect(calls.size).toBe(1)
  gone.abort()
  expect(await waits).toEqual([])
})
