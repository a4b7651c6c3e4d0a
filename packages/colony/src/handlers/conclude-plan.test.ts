import type { Condition } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import {
  type Concluded,
  concludedStatus,
  executorStatus,
  progressing,
  type RunOutcome,
  runOutcomeOf,
} from './conclude-plan.ts'

const NOW = Date.UTC(2030, 0, 1)
const LATER = NOW + 60_000
const succeeded: RunOutcome = { result: 'Succeeded' }
const failed: RunOutcome = { result: 'Failed', again: true, reason: 'Failed', message: 'no disk' }
const lost: RunOutcome = { ...failed, again: false }
const concluded = (runOutcome: RunOutcome, parts: Partial<Concluded> = {}): Concluded => ({
  runOutcome,
  ran: 2,
  generation: 2,
  ownReady: false,
  ...parts,
})
const words = (status: { readonly conditions?: readonly Condition[] }) =>
  (status.conditions ?? []).map(({ type, status, reason }) => `${type}=${status}/${reason}`)

describe('the end of a run', () => {
  it.each([
    ['that succeeded', concluded(succeeded), 2, ['Ready=True/Reconciled', 'Progressing=False/Reconciled']],
    [
      'whose executor has a Ready of its own',
      concluded(succeeded, { ownReady: true }),
      2,
      ['Progressing=False/Reconciled'],
    ],
    ['of an older generation', concluded(succeeded, { generation: 3 }), 2, ['Ready=True/Reconciled']],
    ['that failed', concluded(failed), undefined, ['Ready=False/Failed', 'Progressing=True/Retrying']],
    ['that failed for good', concluded(lost), 2, ['Ready=False/Failed', 'Progressing=False/Failed']],
  ])('%s', (_, end, observedGeneration, conditions) => {
    const status = concludedStatus({ phase: 'kept' }, end, NOW)
    expect(status).toMatchObject({ phase: 'kept' })
    expect(status.observedGeneration).toBe(observedGeneration)
    expect(words(status)).toEqual(conditions)
    // Said again it is the very same.
    expect(concludedStatus(status, end, LATER)).toBe(status)
  })

  it('keeps the time of a condition until its status changes', () => {
    const first = concludedStatus({}, concluded(failed), NOW)
    const second = concludedStatus(first, concluded({ ...failed, message: 'no net' }), LATER)
    const third = concludedStatus(second, concluded(succeeded), LATER)
    const times = [first, second, third].map(({ conditions }) => conditions?.[0]?.lastTransitionTime)
    expect(times).toEqual(['2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z', '2030-01-01T00:01:00Z'])
  })

  it.each([
    [{ result: 'Succeeded' }, succeeded],
    [{ result: 'Failed', errors: ['no disk', 'more'] }, failed],
    [{ result: 'Failed', errors: ['no disk'], retryable: false }, lost],
    [{ result: 'Failed' }, { ...failed, message: 'the executor gave no reason' }],
    [{ result: 'Cancelled' }, undefined],
  ] as const)('is read off what the executor said: %j', (finished, runOutcome) => {
    expect(runOutcomeOf({ process: 'p', attempt: 1, ...finished })).toEqual(runOutcome)
  })
})

describe('progress', () => {
  const said = { reason: 'Reconciling', message: 'x' }

  it('is told once for each generation', () => {
    const first = progressing({}, 1, said, NOW)
    expect(words(first ?? {})).toEqual(['Progressing=True/Reconciling'])
    expect(progressing(first ?? {}, 1, { ...said, reason: 'Other' }, LATER)).toBeUndefined()
    expect(progressing(first ?? {}, 2, said, LATER)).toMatchObject({ conditions: [{ observedGeneration: 2 }] })
  })

  it('is told again after it ended', () => {
    const ended = concludedStatus({}, concluded(succeeded), NOW)
    expect(words(progressing(ended, 3, said, LATER) ?? {})).toEqual([
      'Ready=True/Reconciled',
      'Progressing=True/Reconciling',
    ])
  })
})

describe('what an executor says', () => {
  const old = {
    type: 'Up',
    status: 'True',
    reason: '',
    message: '',
    lastTransitionTime: '2029-01-01T00:00:00Z',
  } as const

  it.each([
    ['nothing of generations', { phase: 'A', observedGeneration: 7 }, { phase: 'A' }],
    [
      'conditions without times',
      {
        conditions: [
          { type: 'Up', status: 'True' },
          { type: 'New', status: 'False' },
        ],
      },
      {
        conditions: [
          { type: 'Up', status: 'True', lastTransitionTime: '2029-01-01T00:00:00Z' },
          { type: 'New', status: 'False', lastTransitionTime: '2030-01-01T00:00:00Z' },
        ],
      },
    ],
    [
      'times of its own where something changed',
      { conditions: [{ type: 'Up', status: 'False', lastTransitionTime: '2029-06-01T00:00:00Z' }] },
      { conditions: [{ type: 'Up', status: 'False', lastTransitionTime: '2029-06-01T00:00:00Z' }] },
    ],
  ])('%s', (_, said, applied) => {
    expect(executorStatus(said, { conditions: [old] }, NOW)).toEqual(applied)
  })

  it.each([
    ['text'],
    [null],
    [[1]],
    [{ conditions: {} }],
    [{ conditions: [{ type: 'Up' }] }],
    [{ conditions: [null] }],
  ])('in a wrong shape is told to be wrong: %j', (said) => {
    expect(executorStatus(said, {}, NOW)).toEqual(expect.stringContaining('status'))
  })
})
