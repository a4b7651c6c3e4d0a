// What is best seen on whole statuses; the rest is told in stories/.

import type { ProcessOutcome, ProcessSpec, ProcessStatus } from '@homeostat/executor/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processFacts } from './process-facts.ts'
import {
  assigned,
  attemptEnded,
  cancelled,
  execExceeded,
  executorLost,
  isRefusal,
  notHeld,
  submitted,
  waitExceeded,
} from './transitions.ts'

const NOW = Date.parse('2026-01-05T12:00:00.250Z')
const spec: ProcessSpec = { funcName: 'train', conditions: { executorType: 'ml' } }
const waiting = submitted(spec, NOW * 1000 + 7)
const running = assigned(spec, waiting, 'e1', NOW) as ProcessStatus
const close = (end: Partial<ProcessOutcome>): ProcessOutcome => ({
  process: 'a',
  attempt: 1,
  result: 'Succeeded',
  ...end,
})

describe('submitted', () => {
  it('begins with a status to the microsecond', () => {
    expect(waiting).toEqual({ phase: 'Waiting', submittedAt: '2026-01-05T12:00:00.250007Z', attempt: 0 })
  })

  it('loses no microsecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e15 }), (time) => {
        const { submittedAt } = submitted(spec, time)
        const metadata = { name: 'a' }
        const object = { apiVersion: 'v', kind: 'Process', metadata, spec: { ...spec }, status: { submittedAt } }
        expect(processFacts(object, 1).order).toBe(time)
      }),
    )
  })

  it.each([
    [undefined, undefined],
    [0, undefined],
    [5, '2026-01-05T12:00:05.250Z'],
    [1e15, undefined],
  ])('with %s seconds to wait has the deadline %s', (maxWaitSeconds, deadline) => {
    const impatient = { ...spec, ...(maxWaitSeconds !== undefined && { maxWaitSeconds }) }
    expect(submitted(impatient, NOW * 1000).waitDeadline).toBe(deadline)
  })
})

describe('assigned', () => {
  it('names the executor, raises the attempt and sets the deadline of the run', () => {
    const limited = { ...spec, maxWaitSeconds: 5, maxExecSeconds: 60 }
    expect(assigned(limited, submitted(limited, NOW * 1000), 'e1', NOW)).toEqual({
      phase: 'Running',
      submittedAt: '2026-01-05T12:00:00.250000Z',
      attempt: 1,
      executor: 'e1',
      startedAt: '2026-01-05T12:00:00.250Z',
      execDeadline: '2026-01-05T12:01:00.250Z',
    })
  })

  it.each<[string, ProcessSpec, ProcessStatus, string]>([
    ['NotWaiting', spec, running, 'is run by executor e1 at attempt 1'],
    ['NotWaiting', spec, { ...waiting, phase: 'Succeeded' }, 'has ended as Succeeded'],
    ['Cancelled', { ...spec, cancel: true }, waiting, 'cancelled'],
    ['NotYet', spec, { ...waiting, notBefore: '2026-01-05T12:00:00.251Z' }, 'until 2026-01-05T12:00:00.251Z'],
    ['Expired', spec, { ...waiting, waitDeadline: '2026-01-05T12:00:00.250Z' }, 'by 2026-01-05T12:00:00.250Z'],
  ])('is refused as %s', (reason, of, status, words) => {
    const message = expect.stringContaining(words)
    expect(assigned(of, status, 'e2', NOW)).toEqual({ refused: true, reason, message })
  })
})

it('is not refused for a time that is none, since the queue would offer it again and again', () => {
  const odd = { ...waiting, notBefore: '9999', waitDeadline: '2025-01-01' }
  expect(assigned(spec, odd, 'e1', NOW)).toMatchObject({ phase: 'Running' })
})

describe('attemptEnded', () => {
  it('ends with the output and a condition in whole seconds', () => {
    expect(attemptEnded(spec, running, 'e1', close({ output: { loss: 0.1 } }), NOW + 1000)).toEqual({
      phase: 'Succeeded',
      submittedAt: '2026-01-05T12:00:00.250007Z',
      attempt: 1,
      executor: 'e1',
      startedAt: '2026-01-05T12:00:00.250Z',
      finishedAt: '2026-01-05T12:00:01.250Z',
      output: { loss: 0.1 },
      conditions: [
        {
          type: 'Complete',
          status: 'True',
          reason: 'Succeeded',
          message: '',
          lastTransitionTime: '2026-01-05T12:00:01Z',
        },
      ],
    })
  })

  it('fails with the first error as the message of its condition', () => {
    const end = close({ result: 'Failed', retryable: false, errors: ['no disk', 'at step 5'] })
    expect(attemptEnded(spec, running, 'e1', end, NOW)).toMatchObject({
      phase: 'Failed',
      errors: ['no disk', 'at step 5'],
      conditions: [{ type: 'Failed', status: 'True', reason: 'ExecutorFailed', message: 'no disk' }],
    })
  })

  it('keeps what became of the last ten attempts that were retried, and of no other', () => {
    let status = running
    for (let attempt = 1; attempt <= 12; attempt++) {
      const at = NOW + attempt * 600_000
      const end = close({ attempt, result: 'Failed', errors: [`no disk ${'x'.repeat(1000)}`] })
      const next = attemptEnded({ ...spec, maxRetries: -1 }, status, 'e1', end, at) as ProcessStatus
      status = assigned(spec, next, 'e1', at + 400_000) as ProcessStatus
    }
    expect(status.pastAttempts?.map(({ attempt }) => attempt)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(status.pastAttempts?.at(-1)).toEqual({
      attempt: 12,
      executor: 'e1',
      startedAt: '2026-01-05T13:56:40.250Z',
      finishedAt: '2026-01-05T14:00:00.250Z',
      error: `no disk ${'x'.repeat(248)}`,
    })
    const done = attemptEnded(spec, status, 'e1', close({ attempt: 13 }), NOW + 9e6) as ProcessStatus
    expect(done.pastAttempts).toHaveLength(10)
    const lost = executorLost(spec, running, 'e1', 1, NOW) as ProcessStatus
    expect(lost.pastAttempts).toMatchObject([{ attempt: 1, error: 'Executor e1 was lost' }])
    expect(notHeld(spec, running, 'e1', 1, NOW)).not.toHaveProperty('pastAttempts')
    expect(
      attemptEnded(spec, { ...running, pastAttempts: 'x' as never }, 'e1', close({ result: 'Failed' }), NOW),
    ).toMatchObject({
      pastAttempts: [{ attempt: 1 }],
    })
  })

  it('does not show errors of earlier attempts once it has succeeded', () => {
    const end = attemptEnded(spec, { ...running, errors: ['no disk'], retries: 1 }, 'e1', close({}), NOW)
    expect(end).not.toHaveProperty('errors')
  })

  it('keeps conditions of others, and input', () => {
    const other = { type: 'Seen', status: 'True', reason: 'R', message: '', lastTransitionTime: 'T' } as const
    const end = attemptEnded(spec, { ...running, conditions: [other], input: [5] }, 'e1', close({}), NOW)
    expect(end).toMatchObject({ input: [5], conditions: [other, { type: 'Complete' }] })
  })

  it.each([
    [-5, '2026-01-05T12:00:00.250Z'],
    [0, '2026-01-05T12:00:00.250Z'],
    [0.5, '2026-01-05T12:00:00.750Z'],
    [1e300, '9999-12-31T23:59:59.999Z'],
  ])('asked for again after %s seconds waits until %s', (requeueAfter, notBefore) => {
    expect(attemptEnded(spec, running, 'e1', close({ requeueAfter }), NOW)).toMatchObject({
      phase: 'Waiting',
      notBefore,
    })
  })
})

describe('a step that comes too late', () => {
  const ended = attemptEnded(spec, running, 'e1', close({}), NOW) as ProcessStatus
  const unwanted = { ...spec, cancel: true }

  it.each<[string, unknown]>([
    ['the time limit of a run that has not come', execExceeded(spec, { ...running, execDeadline: later(1) }, NOW)],
    ['the time limit of a run that has ended', execExceeded(spec, { ...ended, execDeadline: later(-1) }, NOW)],
    ['the time limit of waiting when it runs', waitExceeded(spec, { ...running, waitDeadline: later(-1) }, NOW)],
    ['the time limit of waiting that has not come', waitExceeded(spec, { ...waiting, waitDeadline: later(1) }, NOW)],
    ['the loss of another executor', executorLost(spec, running, 'e2', 1, NOW)],
    ['the loss of the executor at an earlier attempt', executorLost(spec, { ...running, attempt: 2 }, 'e1', 1, NOW)],
    ['an absence of another attempt', notHeld(spec, running, 'e1', 2, NOW)],
    ['an absence of what has ended', notHeld(spec, ended, 'e1', 1, NOW)],
    ['a cancel of what runs', cancelled(unwanted, running, NOW)],
    ['the end of the grace of an earlier attempt', cancelled(unwanted, { ...running, attempt: 2 }, NOW, 1)],
    ['a cancel of what has ended', cancelled(unwanted, ended, NOW, 1)],
    ['a cancel that nobody asked for', cancelled(spec, waiting, NOW)],
  ])('writes nothing: %s', (_, status) => {
    expect(status).toBeUndefined()
  })

  it('is distinguished from a refusal', () => {
    expect([undefined, waiting, assigned(spec, running, 'e2', NOW)].map(isRefusal)).toEqual([false, false, true])
  })
})

describe('who said something else before', () => {
  const failed = attemptEnded(spec, running, 'e1', close({ result: 'Failed' }), NOW) as ProcessStatus
  const again = attemptEnded(spec, running, 'e1', close({ requeueAfter: 5 }), NOW) as ProcessStatus
  const ended = attemptEnded(spec, { ...running, attempt: 2 }, 'e1', close({ attempt: 2 }), NOW) as ProcessStatus

  it.each<[string, ProcessStatus, Partial<ProcessOutcome>]>([
    ['asks for another run after a failure', failed, { requeueAfter: 5 }],
    ['fails after asking for another run', again, { result: 'Failed' }],
    ['succeeds after asking for another run', again, {}],
    ['closes an attempt before the last', ended, { attempt: 1 }],
  ])('is refused: %s', (_, status, end) => {
    expect(isRefusal(attemptEnded(spec, status, 'e1', close(end), NOW))).toBe(true)
  })
})

it('ends what is to be cancelled instead of letting it wait again', () => {
  const unwanted = { ...spec, cancel: true }
  expect(notHeld(unwanted, running, 'e1', 1, NOW)?.phase).toBe('Cancelled')
  expect(waitExceeded(unwanted, { ...waiting, waitDeadline: later(0) }, NOW)?.phase).toBe('Cancelled')
})

it('has one condition about its end', () => {
  const failed = { type: 'Failed', status: 'True', reason: 'R', message: '', lastTransitionTime: 'T' } as const
  const end = attemptEnded(spec, { ...running, conditions: [failed] }, 'e1', close({}), NOW)
  expect(end).toMatchObject({ conditions: [{ type: 'Complete' }] })
})

it('requeues what was never held with a new time to wait, and without a pause', () => {
  expect(
    notHeld({ ...spec, maxWaitSeconds: 5 }, { ...running, retries: 1, errors: ['no disk'] }, 'e1', 1, NOW),
  ).toEqual({
    phase: 'Waiting',
    submittedAt: waiting.submittedAt,
    attempt: 1,
    retries: 1,
    errors: ['no disk'],
    waitDeadline: '2026-01-05T12:00:05.250Z',
  })
})

it('tells of earlier errors when it has waited too long for another attempt', () => {
  const status = { ...waiting, errors: ['no disk'], waitDeadline: later(0) }
  expect(waitExceeded(spec, status, NOW)?.errors).toEqual(['Maximum waiting time limit exceeded', 'no disk'])
})

function later(ms: number): string {
  return new Date(NOW + ms).toISOString()
}

it('has no deadline for more seconds than there will be, in a spec of before there was a limit', () => {
  const endless = { ...spec, maxExecSeconds: 10n ** 18n, maxWaitSeconds: 2n ** 63n - 1n } as unknown as ProcessSpec
  expect(submitted(endless, NOW * 1000)).not.toHaveProperty('waitDeadline')
  expect(assigned(endless, waiting, 'e1', NOW)).toEqual(running)
})
