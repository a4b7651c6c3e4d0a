import type { Condition } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import {
  type AttemptOutcome,
  attemptOutcomeOf,
  type EndedAttempt,
  executorStatus,
  progressing,
  statusAfterAttempt,
} from './outcome-status.ts'

const NOW = Date.UTC(2030, 0, 1)
const LATER = NOW + 60_000
const succeeded: AttemptOutcome = { result: 'Succeeded' }
const failed: AttemptOutcome = { result: 'Failed', again: true, reason: 'Failed', message: 'no disk' }
const lost: AttemptOutcome = { ...failed, again: false }
const ended = (outcome: AttemptOutcome, parts: Partial<EndedAttempt> = {}): EndedAttempt => ({
  outcome,
  attemptedGeneration: 2,
  generation: 2,
  ownReady: false,
  ...parts,
})
const words = (status: { readonly conditions?: readonly Condition[] }) =>
  (status.conditions ?? []).map(({ type, status, reason }) => `${type}=${status}/${reason}`)

describe('the end of a run', () => {
  it.each([
    ['that succeeded', ended(succeeded), 2, ['Ready=True/Reconciled', 'Progressing=False/Reconciled']],
    [
      'whose executor has a Ready of its own',
      ended(succeeded, { ownReady: true }),
      2,
      ['Progressing=False/Reconciled'],
    ],
    ['of an older generation', ended(succeeded, { generation: 3 }), 2, ['Ready=True/Reconciled']],
    ['that failed', ended(failed), undefined, ['Ready=False/Failed', 'Progressing=True/Retrying']],
    ['that failed for good', ended(lost), 2, ['Ready=False/Failed', 'Progressing=False/Failed']],
  ])('%s', (_, end, observedGeneration, conditions) => {
    const status = statusAfterAttempt({ phase: 'kept' }, end, NOW)
    expect(status).toMatchObject({ phase: 'kept' })
    expect(status.observedGeneration).toBe(observedGeneration)
    expect(words(status)).toEqual(conditions)
    // Said again it is the very same.
    expect(statusAfterAttempt(status, end, LATER)).toBe(status)
  })

  it('keeps the time of a condition until its status changes', () => {
    const first = statusAfterAttempt({}, ended(failed), NOW)
    const second = statusAfterAttempt(first, ended({ ...failed, message: 'no net' }), LATER)
    const third = statusAfterAttempt(second, ended(succeeded), LATER)
    const times = [first, second, third].map(({ conditions }) => conditions?.[0]?.lastTransitionTime)
    expect(times).toEqual(['2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z', '2030-01-01T00:01:00Z'])
  })

  it.each([
    [{ result: 'Succeeded' }, succeeded],
    [{ result: 'Failed', errors: ['no disk', 'more'] }, failed],
    [{ result: 'Failed', errors: ['no disk'], retryable: false }, lost],
    [{ result: 'Failed' }, { ...failed, message: 'the executor gave no reason' }],
    [{ result: 'Cancelled' }, undefined],
  ] as const)('is read from what the executor reported: %j', (reported, outcome) => {
    expect(attemptOutcomeOf({ process: 'p', attempt: 1, ...reported })).toEqual(outcome)
  })
})

describe('progress', () => {
  const value = { reason: 'Reconciling', message: 'x' }

  it('is written once for each generation', () => {
    const first = progressing({}, 1, value, NOW)
    expect(words(first ?? {})).toEqual(['Progressing=True/Reconciling'])
    expect(progressing(first ?? {}, 1, { ...value, reason: 'Other' }, LATER)).toBeUndefined()
    expect(progressing(first ?? {}, 2, value, LATER)).toMatchObject({ conditions: [{ observedGeneration: 2 }] })
  })

  it('is written again after it ended', () => {
    const before = statusAfterAttempt({}, ended(succeeded), NOW)
    expect(words(progressing(before, 3, value, LATER) ?? {})).toEqual([
      'Ready=True/Reconciled',
      'Progressing=True/Reconciling',
    ])
  })
})

describe('the status that an executor reports', () => {
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
  ])('%s', (_, reported, applied) => {
    expect(executorStatus(reported, { conditions: [old] }, NOW)).toEqual(applied)
  })

  it.each([
    ['text'],
    [null],
    [[1]],
    [{ conditions: {} }],
    [{ conditions: [{ type: 'Up' }] }],
    [{ conditions: [null] }],
  ])('in a wrong shape is refused: %j', (reported) => {
    expect(executorStatus(reported, {}, NOW)).toEqual(expect.stringContaining('status'))
  })
})
